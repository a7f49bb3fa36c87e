// Package check holds recorded sessions against a policy: statements about what a
// strategy may cost, forget and send, for tests that run without a network.
//
// A [Policy] is a TOML file, read by [Parse]; each of its rules is of one of the
// [Kinds]. [Policy.Check] replays a session with package compare under every
// [Setup] that the rules ask for, shows each request to each rule, and returns a
// [Report] with one [Verdict] a rule. Of a rule that fails it says the first step
// at which it does, what was expected, what was there, and where to look.
//
//	POLICY.toml ──► Parse ──► Policy ──┐
//	                                   ├─► Check ──► Report ──► WriteText, WriteJUnit
//	                         Session ──┘
//
// It says nothing about how well a model works; see package compare for what a
// replay is. The same policy and session give the same report, to the byte.
package check
