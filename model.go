package longrein

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// Wire is a format that requests are sent in.
type Wire string

// The wires: OpenAI's Responses, OpenAI-compatible Chat Completions, and
// Anthropic's Messages.
const (
	WireResponses Wire = "responses"
	WireChat      Wire = "chat"
	WireMessages  Wire = "messages"
)

// Dialect lists how a server departs from its wire. The zero value is the wire
// as its owner documents it. It is part of [Settings], because it changes bytes.
type Dialect struct {
	// Server is what was found or configured: "openai", "anthropic", "ollama",
	// "llama.cpp", "vllm", "lmstudio", "openrouter", "deepseek", "sim" or "".
	Server string `json:"server,omitempty"`
	// Omit names top-level request fields that the server refuses.
	Omit []string `json:"omit,omitempty"`
	// SystemRole sends developer items with the role "system".
	SystemRole bool `json:"system_role,omitempty"`
	// DigitIDs sends tool-call ids of exactly nine digits (Mistral templates).
	DigitIDs bool `json:"digit_ids,omitempty"`
	// EchoReasoning sends reasoning text back with chat messages, in the field
	// of this name.
	EchoReasoning string `json:"echo_reasoning,omitempty"`
	// MaxTokensField is the name under which chat sends the output limit; empty
	// means "max_completion_tokens".
	MaxTokensField string `json:"max_tokens_field,omitempty"`
	// SumsUp is set where the server sums a context up itself when the last item
	// asks for it; see [Opaque].
	SumsUp bool `json:"sums_up,omitempty"`
}

// Request is what is sent to a model. Body is the complete body in the wire's
// format; nobody changes a byte of it after its hash was logged.
type Request struct {
	Thread string // id of the thread
	Model  string
	Wire   Wire
	Body   []byte
}

// Model is the seam to whatever answers requests.
type Model interface {
	// Stream sends r and yields what comes back. The sequence ends after one
	// [Finished] or after one error, which is a [*ModelError] unless ctx ended
	// it. Stopping early releases everything. Safe for concurrent use.
	Stream(ctx context.Context, r Request) iter.Seq2[ModelEvent, error]
}

// ModelEvent is a piece of a response: [Delta], [ItemDone], [Retrying] or
// [Finished].
type ModelEvent interface{ modelEvent() }

// Delta is text as it arrives, for screens; the whole follows in an [ItemDone].
type Delta struct {
	Kind DeltaKind `json:"kind"`
	Text string    `json:"text"`
	Name string    `json:"name,omitempty"` // of the tool, with the first DeltaCall of a call
}

// DeltaKind says what a delta is a piece of.
type DeltaKind string

// The kinds of delta.
const (
	DeltaText      DeltaKind = "text"
	DeltaReasoning DeltaKind = "reasoning"
	DeltaCall      DeltaKind = "call"
)

// ItemDone is one complete item of the response, in the response's order.
type ItemDone struct{ Item Item }

// Retrying says that the attempt failed, that everything yielded so far is
// void, and that the request will be sent again after Wait.
type Retrying struct {
	Attempt int // that failed, from 1
	Max     int
	Wait    time.Duration
	Cause   error
}

// MarshalJSON writes {"attempt":1,"max":16,"wait_ms":200,"cause":"…"}.
func (r Retrying) MarshalJSON() ([]byte, error) {
	return marshal(struct {
		Attempt int    `json:"attempt"`
		Max     int    `json:"max"`
		Wait    int64  `json:"wait_ms"`
		Cause   string `json:"cause"`
	}{r.Attempt, r.Max, r.Wait.Milliseconds(), fmt.Sprint(r.Cause)})
}

// Finished ends a response that arrived whole.
type Finished struct {
	Usage Usage
	Model string // that answered, as the provider names it
	Stop  Stop
}

// Stop is why the model stopped.
type Stop string

// Why a response can end.
const (
	StopEnd       Stop = "end"        // it had no more to say
	StopTools     Stop = "tools"      // it waits for tool outputs
	StopMaxOutput Stop = "max_output" // the output limit cut it
	StopRefused   Stop = "refused"    // it, or a filter, declined
	StopPaused    Stop = "paused"     // it wants to be asked again

	StopInterrupted Stop = "interrupted" // the user stopped it
)

func (Delta) modelEvent()    {}
func (ItemDone) modelEvent() {}
func (Retrying) modelEvent() {}
func (Finished) modelEvent() {}

// ErrorKind classifies what can go wrong with a model or a turn.
type ErrorKind string

// The kinds of error.
const (
	ErrRateLimited ErrorKind = "rate_limited"
	ErrOverloaded  ErrorKind = "overloaded"  // 5xx and the like
	ErrNetwork     ErrorKind = "network"     // no connection, DNS, TLS, proxy
	ErrStreamCut   ErrorKind = "stream_cut"  // ended before it was whole
	ErrIdle        ErrorKind = "idle"        // nothing came for too long
	ErrTooLong     ErrorKind = "too_long"    // the context window is exceeded
	ErrAuth        ErrorKind = "auth"        // key missing, wrong or without rights
	ErrQuota       ErrorKind = "quota"       // money or allowance used up
	ErrBadRequest  ErrorKind = "bad_request" // the server refuses the request
	ErrNotFound    ErrorKind = "not_found"   // wrong URL or unknown model
	ErrNotAnAPI    ErrorKind = "not_an_api"  // HTML or another answer of no API
	ErrStorage     ErrorKind = "storage"     // the log cannot be written
	ErrLimit       ErrorKind = "limit"       // a named limit ended the turn
	ErrPolicy      ErrorKind = "policy"      // refused by policy
	ErrInternal    ErrorKind = "internal"
)

// ModelError is a failure of a provider, in words fit for a user. It never
// holds a key.
type ModelError struct {
	Kind       ErrorKind
	Status     int           // of HTTP, 0 for none
	RetryAfter time.Duration // asked for by the server, 0 for none
	Text       string        // what happened and what to try
	Field      string        // the request field that was refused, if the server named one
	Err        error         // the cause, may be nil
}

// Error returns Text.
func (e *ModelError) Error() string { return e.Text }

// Unwrap returns the cause.
func (e *ModelError) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed later.
func (e *ModelError) Retryable() bool {
	switch e.Kind {
	case ErrRateLimited, ErrOverloaded, ErrNetwork, ErrStreamCut, ErrIdle:
		return true
	}
	return false
}

// KindOf returns the kind of the first [*ModelError] in err's chain, or
// [ErrInternal].
func KindOf(err error) ErrorKind {
	var m *ModelError
	if errors.As(err, &m) {
		return m.Kind
	}
	return ErrInternal
}
