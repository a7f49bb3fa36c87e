// Package stream is what the models behind HTTP have in common: send a request,
// make sure that the answer is a stream of events, read it to its end, and say
// what went wrong when it had none.
//
// A package for one kind of server fills in a [Wire]: how its SDK posts bytes,
// how that SDK cuts the answer into events, and a [Reader], which is pure and
// understands them. [New] makes a [longrein.Model] of the three.
//
//	Request ─► Wire.Send ─► Guard ─► Wire.Decode ─► Reader ─► ModelEvents
//
// Asking again after a failure is not its task; package provider does that.
package stream
