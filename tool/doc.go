// Package tool gives a model its tools: what they are called, what they take,
// whether a call may run, and what the model sees of it.
//
//	ToolCall ──► Set.Run ──► arguments ──► Policy ──► Ask ──► sandbox ──► ToolResult
//
// [Builtin] makes the [Set] of a thread from [Options]. Whatever goes wrong with a
// call becomes an output that the model can read. A [Policy] decides what runs,
// what is asked for and what is refused. The work itself is done by the packages
// below: shell runs commands, sandbox holds them to rules, file reads and changes
// files, output keeps what they print within bounds.
//
// This package keeps no log and shows nothing: its caller records calls, outputs
// and approvals.
package tool
