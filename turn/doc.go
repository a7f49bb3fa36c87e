// Package turn is the turn loop as a pure machine: a message in, records and
// effects out. It waits for nothing, reads no clock and touches no disk, so the
// same code runs live, in replay, under comparison and in a crash simulator.
//
// A [Machine] is restored by [Machine.Load] from a log's tail and driven by
// [Machine.Handle]. Everything it knows follows from the records it has made or
// loaded; what is slow it asks for with an [Effect], whose end comes back as a
// [Message]. Package thread runs it.
//
//	          Submit                    Surveyed
//	idle ───────────► surveying ──────────────────► asking ──► running tools
//	 ▲                    ▲                            ▲  │          │
//	 │                    └── strategy: new window ────┤  │          │
//	 │                                                 └──┼─ safe ◄──┘
//	 └───────── the model has no more to do ──────────────┘  point
package turn
