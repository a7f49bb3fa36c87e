package sim

import (
	"fmt"
	"time"

	"github.com/longrein/longrein"
)

// problem is an answer that is an error, before it takes the form of a wire.
type problem struct {
	status  int
	kind    longrein.ErrorKind
	class   string // "type" of the OpenAI wires
	code    string // "code" of the OpenAI wires, may be empty
	param   string
	message string
	retry   time.Duration // Retry-After, 0 for none
}

// badRequest is a refusal of what the request says in field.
func badRequest(field, format string, args ...any) *problem {
	return &problem{
		status: 400, kind: longrein.ErrBadRequest, class: "invalid_request_error",
		param: field, message: fmt.Sprintf(format, args...),
	}
}

// tooLong refuses a prompt of n tokens in the words of the wire.
func tooLong(wire longrein.Wire, n, window int) *problem {
	p := badRequest("input", "Your input exceeds the context window of this model. Please adjust your input and try again.")
	switch wire {
	case longrein.WireChat:
		p.param = "messages"
		p.message = fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages.", window, n)
	case longrein.WireMessages:
		p.message = fmt.Sprintf("prompt is too long: %d tokens > %d maximum", n, window)
	}
	p.kind, p.code = longrein.ErrTooLong, "context_length_exceeded"
	return p
}

// statusProblem is what a provider says with an HTTP status of 400 or more.
func statusProblem(status int, retry time.Duration) *problem {
	p := &problem{status: status, retry: retry, kind: longrein.ErrOverloaded, class: "server_error"}
	p.message = fmt.Sprintf("simulated model: injected HTTP %d", status)
	switch {
	case status == 401, status == 403:
		p.kind, p.class, p.code = longrein.ErrAuth, "invalid_request_error", "invalid_api_key"
	case status == 402:
		p.kind, p.class, p.code = longrein.ErrQuota, "insufficient_quota", "insufficient_quota"
	case status == 404:
		p.kind, p.class, p.code = longrein.ErrNotFound, "invalid_request_error", "model_not_found"
	case status == 429:
		p.kind, p.class, p.code = longrein.ErrRateLimited, "requests", "rate_limit_exceeded"
	case status < 500:
		p.kind, p.class = longrein.ErrBadRequest, "invalid_request_error"
	}
	return p
}

// err is the problem as a model in this process reports it.
func (p *problem) err() *longrein.ModelError {
	return &longrein.ModelError{
		Kind: p.kind, Status: p.status, RetryAfter: p.retry,
		Text: p.message, Field: p.param,
	}
}

// messagesTypes names errors as the messages wire does; other states are
// "api_error".
var messagesTypes = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 402: "billing_error",
	403: "permission_error", 404: "not_found_error", 413: "request_too_large",
	429: "rate_limit_error", 503: "overloaded_error", 529: "overloaded_error",
}

// body is the problem as the body of an HTTP answer.
func (p *problem) body(wire longrein.Wire) string {
	if wire == longrein.WireMessages {
		class, ok := messagesTypes[p.status]
		if !ok {
			class = "api_error"
		}
		return fmt.Sprintf(`{"type":"error","error":{"type":%s,"message":%s}}`, quote(class), quote(p.message))
	}
	return fmt.Sprintf(`{"error":{"message":%s,"type":%s,"param":%s,"code":%s}}`,
		quote(p.message), quote(p.class), orNull(p.param), orNull(p.code))
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return quote(s)
}
