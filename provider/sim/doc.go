// Package sim is a simulated model: it plays a script instead of thinking, and
// behaves around it as a provider does. It is for demos, tests and benchmarks,
// it is labelled as simulated wherever it speaks, and it is not for judging how
// well a harness works with a real model.
//
//	           ┌── Sim.Stream  (longrein.Model, in this process)
//	Request ──►│                                            ┌─ faults, window
//	           └── Sim.Handler (HTTP, three wires) ──► decide ─ cache ─ Script ──► reply
//
// The types to know are [Sim], [Options] and [Script]. A Script ([ParseScript],
// [Builtin]) says which tools to call and when to answer. The place in the
// script is found in the request alone, by the markers that each response of
// the Sim carries, so a play goes on after a crash, in a fork, and in a new
// window that has lost the older items. What a Sim keeps between requests is a
// bounded prompt cache and how often each [Fault] has struck.
package sim
