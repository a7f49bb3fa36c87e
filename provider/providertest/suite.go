package providertest

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/longrein/longrein"
)

// Key is what the model under test must send as its key, and must never show.
const Key = "sk-secret-0123456789abcdef"

// Run holds the model that answer returns against the suite. The model asks the
// server at url, whose path ends in /v1, on wire w; it sends [Key], does not
// repeat a request by itself, and takes responses of at least 16 MiB.
func Run(t *testing.T, w longrein.Wire, answer func(url string) longrein.Model) {
	for name, check := range map[string]func(suite, *testing.T){
		"a plain answer arrives whole":                    suite.plainAnswer,
		"parallel calls come in order, with reasoning":    suite.calls,
		"deltas add up to the items":                      suite.deltas,
		"the body is sent byte for byte":                  suite.bodyUntouched,
		"nothing of the environment is sent":              suite.environment,
		"an answer cut anywhere is an error or whole":     suite.cutAnywhere,
		"a connection that breaks is a cut":               suite.brokenConnection,
		"events that are no JSON are passed over":         suite.notJSON,
		"an event without a blank line behind it counts":  suite.noise,
		"a huge event arrives":                            suite.hugeEvent,
		"a slow first byte is waited for":                 suite.slowFirstByte,
		"error answers are told apart":                    suite.refusals,
		"error events are told apart":                     suite.refusalEvents,
		"a server that is not there is a network error":   suite.nobody,
		"an end of the context is the context's error":    suite.cancelled,
		"a caller may stop early":                         suite.stopEarly,
		"a connection is used again":                      suite.reuse,
		"many requests at once do not mix":                suite.concurrent,
		"a thread of several steps runs":                  suite.thread,
		"a key that a server repeats does not come to us": suite.keyStaysSecret,
	} {
		t.Run(name, func(t *testing.T) {
			leaks := goleak.IgnoreCurrent()
			t.Cleanup(func() { goleak.VerifyNone(t, leaks) })
			check(suite{wire: w, model: answer}, t)
		})
	}
}

// suite is a model under test.
type suite struct {
	wire  longrein.Wire
	model func(url string) longrein.Model
}
