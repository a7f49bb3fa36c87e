// Package rules is the rule book: every invariant, threshold, formula and
// scenario of the harness, as data. A [Rule] says in a sentence what holds,
// which limits and settings it uses, how it is related to other rules, and
// which Go tests show it. The rules of an area stand in one TOML file of
// data/; a [Book] holds all of them.
//
//	data/d1-protocol.toml ─┐
//	data/d2-state.toml    ─┼─ Load ─► Book ─► Problems, Search, Graph, Page
//	data/…                ─┘
//
// It is not for judging recorded sessions, which package check does, and it
// decides nothing: the code does, and the tests that a rule names hold the two
// together. What the tests of this package hold is that each rule names a test
// that there is, and that each limit has a rule.
package rules
