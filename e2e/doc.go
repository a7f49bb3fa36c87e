// Package e2e tests the whole program from outside: the built command talks over
// real HTTP, on each wire, to the simulated model in a process of its own. It is
// killed at random moments, its server fails in every way that servers do, and
// signals interrupt it; the log then has to tell of a task done once and whole.
//
// The package holds tests only, and what a single package promises is tested
// there. A place is one user's machine, a process one run of the program in it,
// and a story what the log says happened:
//
//	place ── start ──► process ── kill ──► start ──► … ──► story ──► checks
//	  └── sim serve ◄──────── requests ───────┘              │
//	        └── log of requests ──► compared with the story ◄┘
//
// Everything is repeated by its seed: go test ./e2e -run Crash -seed=7 -kills=20.
package e2e
