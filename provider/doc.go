// Package provider holds what all models behind [longrein.Model] have in
// common: where one answers ([Endpoint]), the HTTP client it is asked with
// ([NewHTTP]), where its key comes from ([KeyFrom]), what its errors mean
// ([Failure], [Refusal]), and the two wrappers that make any model bear faults:
// [Watchdog], which notices silence, and [Retry], which asks again.
//
//	thread ──► Retry ──► Watchdog ──► openai, anthropic, sim ──► NewHTTP ──► server
//	             ▲           │                  │
//	             └─ *longrein.ModelError ◄──────┘  by Failure, Refusal, RefusalEvent
//
// It knows no wire: requests and responses are encoded in package wire and read
// in the packages below this one.
package provider
