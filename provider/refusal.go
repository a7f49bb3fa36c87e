package provider

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Refusal says what it means that ep answered with this status, header and
// body instead of a response. It reads the error objects of OpenAI, Anthropic,
// OpenRouter, Ollama, llama.cpp, vLLM, LM Studio and their kin, and takes any
// other answer as text. Of the body no more than the limit error-body is looked
// at. A status below 400 is for an answer that is no response of its wire.
func Refusal(ep Endpoint, status int, h http.Header, body []byte) *longrein.ModelError {
	body = body[:min(len(body), ep.Limits.Int(limit.ErrorBody))]
	f := readFault(body)
	f.status = status
	if status < 400 && f.code > 0 { // OpenRouter reports late failures so
		f.status = f.code
	}
	f.page = isPage(h, body)
	f.wait = retryAfter(h, f.message, time.Now())
	return ep.refused(f)
}

// RefusalEvent is Refusal for an error that came as an event of a stream, with
// the code (or type) and the message that the event holds. A code that is not
// known counts as passing.
func RefusalEvent(ep Endpoint, code, message string) *longrein.ModelError {
	f := fault{names: []string{code}, message: message}
	f.code = statusOf(code)
	f.status = f.code
	f.wait = askedFor(message)
	return ep.refused(f)
}

func (e Endpoint) refused(f fault) *longrein.ModelError {
	kind := f.kind()
	err := &longrein.ModelError{Kind: kind, Status: f.status, RetryAfter: f.wait, Text: e.say(kind, f)}
	if kind == longrein.ErrBadRequest {
		err.Field = f.field()
	}
	return err
}

// say writes the sentence for a user: who, what, what it said, what to try.
func (e Endpoint) say(kind longrein.ErrorKind, f fault) string {
	var b strings.Builder
	b.WriteString(e.name())
	switch {
	case f.page:
		fmt.Fprintf(&b, " answered with a web page (status %d) at %s", f.status, e.Where())
	case f.status > 0:
		fmt.Fprintf(&b, " answered %d", f.status)
	default:
		b.WriteString(" reported an error")
	}
	if msg := e.clean(f.message); msg != "" {
		b.WriteString(": " + strings.TrimRight(msg, ". "))
	}
	if try := e.advice(kind, f); try != "" {
		b.WriteString("; " + try)
	}
	return b.String()
}

// advice says what a user can try, "" where the server's own words must do.
func (e Endpoint) advice(kind longrein.ErrorKind, f fault) string {
	switch kind {
	case longrein.ErrAuth:
		return e.authAdvice(f)
	case longrein.ErrQuota:
		return "the account has no credit or allowance left: see its billing page, or use another provider"
	case longrein.ErrTooLong:
		return "the request is longer than the model's context window; set context_window for the model in the settings if it is smaller than Longrein believes"
	case longrein.ErrNotAnAPI:
		return "is base_url (" + e.Where() + ") right? It usually ends in /v1"
	case longrein.ErrNotFound:
		return e.notFoundAdvice(f)
	case longrein.ErrRateLimited, longrein.ErrOverloaded:
		if f.wait > 0 {
			return fmt.Sprintf("it asks to wait %v", f.wait.Round(time.Millisecond))
		}
	}
	return ""
}

func (e Endpoint) authAdvice(f fault) string {
	switch {
	case f.status == http.StatusProxyAuthRequired:
		return "the proxy wants a user and password: write them into its URL"
	case e.Key == nil:
		return "no key was sent: set key_env, key_file or key_command for this provider"
	case f.status == http.StatusForbidden:
		return "the key may lack rights to this model or region"
	}
	return "check the key of this provider"
}

func (e Endpoint) notFoundAdvice(f fault) string {
	switch {
	case f.status == http.StatusNotFound && !f.aboutModel(), f.status == http.StatusMethodNotAllowed:
		return "is base_url (" + e.Where() + ") right? It usually ends in /v1"
	case e.Dialect.Server == "ollama":
		return "get the model with ollama pull, or choose one from ollama list"
	}
	return "check the model's name"
}
