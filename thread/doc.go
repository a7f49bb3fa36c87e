// Package thread owns one conversation. A single goroutine holds the turn
// machine and is the only writer of the log; everything slow (the model, tools,
// the survey) runs outside it and reports back as messages, so there is no
// shared history and no lock around it.
//
// A [Thread] is safe to call from anywhere: ops go through a bounded queue that
// blocks when it is full, and return once what they recorded is durable.
// [Thread.Watch] follows what happens. The package knows neither files nor
// networks: what it needs is handed to it in [Options].
package thread
