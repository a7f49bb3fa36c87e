package provider

import (
	"net/http"
	"regexp"
	"sync"

	"github.com/longrein/longrein"
)

// faultRules are tried in order; what is worded most precisely comes first,
// because servers use one status for many things.
var faultRules = []struct {
	kind longrein.ErrorKind
	fits func(fault) bool
}{
	{longrein.ErrBadRequest, fault.outputTooLong},
	{longrein.ErrTooLong, fault.tooLong},
	{longrein.ErrQuota, fault.outOfMoney},
	{longrein.ErrAuth, fault.unauthorized},
	{longrein.ErrBadRequest, fault.unable},
	{longrein.ErrRateLimited, fault.rateLimited},
	{longrein.ErrOverloaded, fault.overloaded},
	{longrein.ErrNotAnAPI, func(f fault) bool { return f.page }},
	{longrein.ErrNotFound, fault.notFound},
	{longrein.ErrBadRequest, fault.invalid},
	{longrein.ErrOverloaded, func(f fault) bool { return f.status == 0 }},
	{longrein.ErrNotAnAPI, func(f fault) bool { return f.status < 400 }},
}

// outputTooLong is about the output limit, which a shorter input does not mend.
func (f fault) outputTooLong() bool {
	return f.says("max_tokens' is too large", "max_tokens is too large", "max_completion_tokens' is too large", "max_completion_tokens is too large", "max_output_tokens is too large")
}

func (f fault) tooLong() bool {
	return f.status == http.StatusRequestEntityTooLarge ||
		f.named("context_length_exceeded", "exceed_context_size_error", "request_too_large", "string_above_max_length", "model_context_window_exceeded") ||
		f.status != http.StatusTooManyRequests && f.says(tooLongPhrases...) ||
		f.says("tokens must be reduced in order to run")
}

// tooLongPhrases is how servers say that the context window is exceeded.
var tooLongPhrases = []string{
	"maximum context length",                       // OpenAI, vLLM, OpenRouter, DeepSeek, Mistral
	"max context length",                           // Ollama
	"context length exceeded",                      // Fireworks, Together
	"exceeds the context length",                   // Ollama
	"greater than the context length",              // LM Studio
	"model's context length is only",               // vLLM
	"maximum model length",                         // vLLM
	"loaded with context length of only",           // LM Studio
	"context window",                               // OpenAI Responses, MiniMax
	"available context size",                       // llama.cpp
	"exceed context limit",                         // Anthropic, with max_tokens
	"prompt is too long",                           // Anthropic
	"prompt too long",                              // Ollama
	"input is too long",                            // Bedrock
	"exceeds the maximum number of tokens allowed", // Gemini
	"maximum prompt length",                        // xAI
	"prompt exceeds max length",                    // Z.ai
	"reduce the length of the messages",            // Groq
	"exceeded model token limit",                   // Moonshot
	"prompt token count of",                        // Copilot
}

func (f fault) outOfMoney() bool {
	return f.status == http.StatusPaymentRequired ||
		f.named("insufficient_quota", "billing_error", "billing_hard_limit_reached", "usage_limit_reached", "usage_not_included", "insufficient_credits") ||
		f.says("credit balance is too low", "insufficient balance", "insufficient credits", "insufficient_quota") ||
		f.wait == 0 && f.says("exceeded your current quota")
}

func (f fault) unauthorized() bool {
	if f.page {
		return false
	}
	return f.status == http.StatusUnauthorized || f.status == http.StatusForbidden || f.status == http.StatusProxyAuthRequired ||
		f.named("invalid_api_key", "authentication_error", "permission_error", "permission_denied", "unauthenticated", "api_key_invalid") ||
		f.says("api key not valid", "incorrect api key", "invalid api key")
}

// unable is what local servers report as a fault of theirs though the request
// will never do.
func (f fault) unable() bool {
	return f.status == http.StatusNotImplemented || f.status == http.StatusHTTPVersionNotSupported ||
		f.named("not_supported_error") ||
		f.says("--jinja", "cannot use tools with stream", "does not support tools", "enable-auto-tool-choice")
}

func (f fault) rateLimited() bool {
	return f.status == http.StatusTooManyRequests ||
		f.named("rate_limit_exceeded", "rate_limit_error", "resource_exhausted", "too_many_requests", "slow_down")
}

func (f fault) overloaded() bool {
	return f.status >= 500 || f.status == http.StatusRequestTimeout || f.status == http.StatusConflict ||
		f.status == http.StatusTooEarly ||
		f.named("server_error", "server_is_overloaded", "overloaded_error", "api_error", "timeout_error", "internal_error", "unavailable", "unavailable_error") && !f.plainRequest()
}

// plainRequest: the status says what the name does not, as when Ollama calls
// everything an api_error.
func (f fault) plainRequest() bool { return f.status >= 400 && f.status < 500 }

func (f fault) notFound() bool {
	return f.status == http.StatusNotFound || f.status == http.StatusMethodNotAllowed || f.status == http.StatusGone ||
		f.named("model_not_found", "not_found_error", "deploymentnotfound", "not_found") ||
		f.says("is not a valid model", "invalid model id", "no models loaded", "model not found", "unknown model")
}

func (f fault) invalid() bool {
	return f.status >= 400 ||
		f.named("invalid_request_error", "invalid_prompt", "bad_request", "invalid_argument", "unprocessable_entity") ||
		f.field() != ""
}

// field returns the name of the request field that the server does not take, ""
// if it names none or refuses something else.
func (f fault) field() string {
	for _, re := range fieldForms() {
		if m := re.FindStringSubmatch(f.message); m != nil {
			return m[1]
		}
	}
	if f.named("unknown_parameter", "unsupported_parameter", "unsupported_value") {
		return f.param
	}
	return ""
}

// fieldForms are the wordings of "I do not take this field", the field as their
// only group.
var fieldForms = sync.OnceValue(func() []*regexp.Regexp {
	const name = "([A-Za-z_][\\w.\\[\\]-]*)"
	const quote = "[`'\"]"
	var out []*regexp.Regexp
	for _, form := range []string{
		"(?i)(?:unknown|unsupported|unrecognized) (?:parameter|param|field|argument|property|name|value|key):? " + quote + name + quote,
		"(?i)unrecognized request arguments? supplied: " + name,
		"(?i)unsupported param: " + name,
		"(?m)(?:^|\\s)" + name + ": Extra inputs are not permitted",
		"extra_forbidden.{1,40}body['\"], ?['\"]" + name + "['\"]",
		"(?i)property " + quote + "(?:body\\.)?" + name + quote + " is (?:unsupported|not supported)",
		"(?i)(?:parameter|field|param) " + quote + name + quote + " is (?:unsupported|not supported|not allowed|unknown)",
		quote + name + quote + " (?:is|are) not (?:supported|permitted|allowed)",
	} {
		out = append(out, regexp.MustCompile(form))
	}
	return out
})
