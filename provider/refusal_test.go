package provider_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
)

var local = provider.Endpoint{Name: "local", BaseURL: "http://user:word@127.0.0.1:8080/v1?key=query-secret"}

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Set(pairs[i], pairs[i+1])
	}
	return h
}

func TestRefusalKinds(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		header http.Header
		body   string
		want   longrein.ErrorKind
	}{
		"OpenAI: a wrong key":                     {401, nil, `{"error":{"message":"Incorrect API key provided: sk-ab***********yz.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, longrein.ErrAuth},
		"OpenAI: a rate limit":                    {429, nil, `{"error":{"message":"Rate limit reached for gpt-5.4","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`, longrein.ErrRateLimited},
		"OpenAI: a request above the rate limit":  {429, nil, `{"error":{"message":"Request too large for gpt-5.4 on tokens per min (TPM): Limit 30000, Requested 61000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}`, longrein.ErrTooLong},
		"OpenAI: no credit":                       {429, nil, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, longrein.ErrQuota},
		"OpenAI: the window in Chat":              {400, nil, `{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, longrein.ErrTooLong},
		"OpenAI: the window in Responses":         {400, nil, `{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}`, longrein.ErrTooLong},
		"OpenAI: too big an output limit":         {400, nil, `{"error":{"message":"max_tokens is too large: 900000. This model supports at most 128000 completion tokens.","type":"invalid_request_error","param":"max_tokens","code":null}}`, longrein.ErrBadRequest},
		"OpenAI: an unknown model":                {404, nil, `{"error":{"message":"The model 'gpt-9' does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, longrein.ErrNotFound},
		"OpenAI: a fault of the server":           {500, nil, `{"error":{"message":"The server had an error while processing your request.","type":"server_error"}}`, longrein.ErrOverloaded},
		"OpenAI: a country without service":       {403, nil, `{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported","param":null,"type":"request_forbidden"}}`, longrein.ErrAuth},
		"Anthropic: overloaded":                   {529, nil, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`, longrein.ErrOverloaded},
		"Anthropic: a wrong key":                  {401, nil, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, longrein.ErrAuth},
		"Anthropic: no credit":                    {400, nil, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, longrein.ErrQuota},
		"Anthropic: the window":                   {400, nil, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, longrein.ErrTooLong},
		"Anthropic: the window with the output":   {400, nil, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000\"}}", longrein.ErrTooLong},
		"Anthropic: more than 32 MB":              {413, nil, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, longrein.ErrTooLong},
		"Anthropic: an unknown model":             {404, nil, `{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}`, longrein.ErrNotFound},
		"Anthropic: a rate limit":                 {429, nil, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit"}}`, longrein.ErrRateLimited},
		"Ollama: an unknown model":                {404, nil, `{"error":{"message":"model \"qwen9\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, longrein.ErrNotFound},
		"Ollama: native shape":                    {404, nil, `{"error":"model 'qwen9' not found"}`, longrein.ErrNotFound},
		"Ollama: a model without tools":           {400, nil, `{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error","param":null,"code":null}}`, longrein.ErrBadRequest},
		"Ollama: the window":                      {400, nil, `{"error":{"message":"prompt too long; exceeded max context length by 100 tokens","type":"api_error"}}`, longrein.ErrTooLong},
		"llama.cpp: the window":                   {400, nil, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}`, longrein.ErrTooLong},
		"llama.cpp: still loading":                {503, nil, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, longrein.ErrOverloaded},
		"llama.cpp: tools without the flag":       {500, nil, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`, longrein.ErrBadRequest},
		"llama.cpp: an end point it lacks":        {501, nil, `{"error":{"code":501,"message":"This server does not support embeddings.","type":"not_supported_error"}}`, longrein.ErrBadRequest},
		"vLLM: the window":                        {400, nil, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","param":null,"code":400}`, longrein.ErrTooLong},
		"vLLM: an output limit above the window":  {400, nil, `{"object":"error","message":"'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum context length is 4096 tokens and your request has 20 input tokens","type":"BadRequestError","code":400}`, longrein.ErrBadRequest},
		"vLLM: an unknown model":                  {404, nil, "{\"error\":{\"message\":\"The model `x` does not exist.\",\"type\":\"NotFoundError\",\"param\":null,\"code\":404}}", longrein.ErrNotFound},
		"vLLM: tools without the flag":            {400, nil, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","code":400}`, longrein.ErrBadRequest},
		"LM Studio: nothing loaded":               {404, nil, `{"error":{"message":"No models loaded. Please load a model in the developer page.","type":"invalid_request_error","param":"model","code":"model_not_found"}}`, longrein.ErrNotFound},
		"LM Studio: the window":                   {400, nil, `{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, longrein.ErrTooLong},
		"OpenRouter: no credits":                  {402, nil, `{"error":{"code":402,"message":"Insufficient credits"}}`, longrein.ErrQuota},
		"OpenRouter: a wrong model":               {400, nil, `{"error":{"code":400,"message":"acme/none is not a valid model ID"}}`, longrein.ErrNotFound},
		"OpenRouter: the upstream's window":       {400, nil, `{"error":{"code":400,"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"message\":\"prompt is too long\"}}","provider_name":"Anthropic"}}}`, longrein.ErrTooLong},
		"OpenRouter: a late failure with 200":     {200, nil, `{"error":{"code":502,"message":"Provider returned error"}}`, longrein.ErrOverloaded},
		"DeepSeek: no balance":                    {402, nil, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`, longrein.ErrQuota},
		"Gemini: a wrong key":                     {400, nil, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, longrein.ErrAuth},
		"Gemini: a quota for the minute":          {429, nil, `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan. Please retry in 36.5s.","status":"RESOURCE_EXHAUSTED"}}]`, longrein.ErrRateLimited},
		"Gemini: the window":                      {400, nil, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, longrein.ErrTooLong},
		"xAI: the window":                         {400, nil, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 140000 tokens."}`, longrein.ErrTooLong},
		"a gateway's web page that says too busy": {502, header("Content-Type", "text/html"), "<html><head><title>502 Bad Gateway</title></head></html>", longrein.ErrOverloaded},
		"a web page where an answer should be":    {200, header("Content-Type", "text/html; charset=utf-8"), "<!DOCTYPE html><title>Welcome</title>", longrein.ErrNotAnAPI},
		"a web page that was not announced":       {404, nil, "\n<!doctype html>\n<title>Not here</title>", longrein.ErrNotAnAPI},
		"a challenge of a web firewall":           {403, header("Content-Type", "text/html"), "<html><title>Just a moment...</title></html>", longrein.ErrNotAnAPI},
		"JSON that is no error and no response":   {200, nil, `{"hello":"world"}`, longrein.ErrNotAnAPI},
		"an unknown path in FastAPI":              {404, nil, `{"detail":"Not Found"}`, longrein.ErrNotFound},
		"an unknown path in plain text":           {404, nil, "404 page not found", longrein.ErrNotFound},
		"a method that the path does not know":    {405, nil, "", longrein.ErrNotFound},
		"a time-out with no body":                 {504, nil, "", longrein.ErrOverloaded},
		"a conflict":                              {409, nil, `{"error":{"message":"conflict"}}`, longrein.ErrOverloaded},
		"a request that took too long":            {408, nil, "", longrein.ErrOverloaded},
		"a proxy that wants a password":           {407, nil, "", longrein.ErrAuth},
		"what cannot be processed":                {422, nil, `{"detail":[{"loc":["body","messages"],"msg":"field required","type":"value_error.missing"}]}`, longrein.ErrBadRequest},
		"a body of no sense":                      {400, nil, "\x00\xff", longrein.ErrBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			got := provider.Refusal(local, c.status, c.header, []byte(c.body))
			if got.Kind != c.want {
				t.Errorf("kind = %s, want %s: %s", got.Kind, c.want, got.Text)
			}
			if got.Status == 0 || !strings.HasPrefix(got.Text, "local answered ") || !utf8.ValidString(got.Text) {
				t.Errorf("status %d, text %q", got.Status, got.Text)
			}
		})
	}
}

func TestRefusalNamesTheFieldThatTheServerDoesNotTake(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"Unknown parameter: 'prompt_cache_key'.","type":"invalid_request_error","param":"prompt_cache_key","code":"unknown_parameter"}}`:                                                                   "prompt_cache_key",
		`{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`: "max_tokens",
		`{"error":{"message":"Unsupported value: 'reasoning.effort' does not support 'xhigh' with this model.","param":"reasoning.effort","code":"unsupported_value"}}`:                                                         "reasoning.effort",
		`{"error":{"message":"Unrecognized request argument supplied: stream_options","type":"invalid_request_error","param":null,"code":null}}`:                                                                                "stream_options",
		`{"type":"error","error":{"type":"invalid_request_error","message":"tools.0.custom.strict: Extra inputs are not permitted"}}`:                                                                                           "tools.0.custom.strict",
		`{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'store'), 'msg': 'Extra inputs are not permitted'}]","code":400}`:                                                                            "store",
		`{"detail":[{"type":"extra_forbidden","loc":["body","store"],"msg":"Extra inputs are not permitted","input":false}]}`:                                                                                                   "store",
		`{"error":"json: unknown field \"parallel_tool_calls\""}`:                                                                         "parallel_tool_calls",
		`{"error":{"message":"Invalid JSON payload received. Unknown name \"store\": Cannot find field.","code":400}}`:                    "store",
		`{"error":{"message":"property 'service_tier' is unsupported"}}`:                                                                  "service_tier",
		`{"error":{"code":400,"message":"Unsupported param: echo","type":"invalid_request_error"}}`:                                       "echo",
		`{"error":{"message":"Invalid value: 'tall'.","type":"invalid_request_error","param":"input[3].content","code":"invalid_value"}}`: "",
		`{"error":{"message":"prompt is too long","param":"messages","code":"unsupported_parameter"}}`:                                    "",
	} {
		got := provider.Refusal(local, 400, nil, []byte(body))
		if got.Field != want {
			t.Errorf("%s\nfield = %q, want %q", body, got.Field, want)
		}
	}
}

func TestRefusalHearsHowLongToWait(t *testing.T) {
	now := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	date := now.Format(http.TimeFormat)
	for name, c := range map[string]struct {
		header  http.Header
		message string
		want    time.Duration
	}{
		"in seconds":                                {header("Retry-After", "7"), "", 7 * time.Second},
		"in parts of a second":                      {header("Retry-After", "0.5"), "", 500 * time.Millisecond},
		"in milliseconds":                           {header("Retry-After", "9", "retry-after-ms", "250"), "", 250 * time.Millisecond},
		"as a date, by the server's clock":          {header("Retry-After", now.Add(time.Minute).Format(http.TimeFormat), "Date", date), "", time.Minute},
		"as a date that is past":                    {header("Retry-After", now.Add(-time.Minute).Format(http.TimeFormat), "Date", date), "", 0},
		"nonsense":                                  {header("Retry-After", "soon"), "", 0},
		"negative":                                  {header("Retry-After", "-5"), "", 0},
		"not a number":                              {header("Retry-After", "NaN"), "", 0},
		"for ever is a day":                         {header("Retry-After", "1e300"), "", 24 * time.Hour},
		"in the text":                               {nil, "Rate limit reached. Please try again in 11.054s. Visit", 11054 * time.Millisecond},
		"in the text in ms":                         {nil, "Please try again in 250ms.", 250 * time.Millisecond},
		"in the text in minutes":                    {nil, "Please try again in 1m30.5s.", 90500 * time.Millisecond},
		"in the text in words":                      {nil, "Try again in 20 seconds", 20 * time.Second},
		"in the text as after":                      {nil, "Please retry after 1 minute 5 seconds.", 65 * time.Second},
		"in the text as Gemini has it":              {nil, "Please retry in 36.5s.", 36500 * time.Millisecond},
		"text without a time":                       {nil, "Please try again in a moment, 5 people wait", 0},
		"when the used-up limit resets":             {header("x-ratelimit-remaining-requests", "9", "x-ratelimit-reset-requests", "8m", "x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "6m0s"), "", 6 * time.Minute},
		"when it resets in milliseconds since 1970": {header("X-RateLimit-Reset", "1796025630000", "Date", date), "", 30 * time.Second},
		"when it resets as a time":                  {header("anthropic-ratelimit-input-tokens-remaining", "0", "anthropic-ratelimit-input-tokens-reset", "2026-11-30T08:00:09Z", "Date", date), "", 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			got := provider.Refusal(local, 429, c.header, []byte(c.message))
			if got.RetryAfter != c.want {
				t.Errorf("wait = %v, want %v", got.RetryAfter, c.want)
			}
		})
	}
}

func TestRefusalEvent(t *testing.T) {
	for _, c := range []struct {
		code, message string
		want          longrein.ErrorKind
		wait          time.Duration
	}{
		{"rate_limit_exceeded", "Please try again in 2s.", longrein.ErrRateLimited, 2 * time.Second},
		{"server_error", "", longrein.ErrOverloaded, 0},
		{"server_is_overloaded", "", longrein.ErrOverloaded, 0},
		{"overloaded_error", "Overloaded", longrein.ErrOverloaded, 0},
		{"api_error", "Internal server error", longrein.ErrOverloaded, 0},
		{"context_length_exceeded", "Your input exceeds the context window of this model.", longrein.ErrTooLong, 0},
		{"insufficient_quota", "", longrein.ErrQuota, 0},
		{"invalid_prompt", "Invalid prompt", longrein.ErrBadRequest, 0},
		{"invalid_request_error", "no", longrein.ErrBadRequest, 0},
		{"authentication_error", "", longrein.ErrAuth, 0},
		{"502", "Provider disconnected", longrein.ErrOverloaded, 0},
		{"429", "slow down", longrein.ErrRateLimited, 0},
		{"something_new", "it broke", longrein.ErrOverloaded, 0},
		{"", "", longrein.ErrOverloaded, 0},
	} {
		got := provider.RefusalEvent(local, c.code, c.message)
		if got.Kind != c.want || got.RetryAfter != c.wait {
			t.Errorf("%q: %s after %v, want %s after %v", c.code, got.Kind, got.RetryAfter, c.want, c.wait)
		}
	}
}

func TestRefusalText(t *testing.T) {
	ollama := local
	ollama.Dialect.Server = "ollama"
	for name, c := range map[string]struct {
		ep     provider.Endpoint
		status int
		body   string
		want   string
	}{
		"a web page":       {local, 200, "<!doctype html><title>My\nBlog</title>", "local answered with a web page (status 200) at http://127.0.0.1:8080/v1: My Blog; is base_url (http://127.0.0.1:8080/v1) right? It usually ends in /v1"},
		"a key is missing": {local, 401, `{"error":{"message":"No key."}}`, "local answered 401: No key; no key was sent: set key_env, key_file or key_command for this provider"},
		"ollama":           {ollama, 404, `{"error":"model 'q' not found"}`, "local answered 404: model 'q' not found; get the model with ollama pull, or choose one from ollama list"},
		"escape sequences": {local, 400, "\x1b[2Jbad\x07 thing", "local answered 400: [2Jbad thing"},
	} {
		t.Run(name, func(t *testing.T) {
			got := provider.Refusal(c.ep, c.status, nil, []byte(c.body))
			if d := cmp.Diff(c.want, got.Text); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRefusalIsShortAndKeepsSecrets(t *testing.T) {
	ep := local
	ep.Key = func(ctx) (string, error) { return "topsecretkey1", nil }
	ep.Header = header("X-Api-Token", "headersecret")
	ep.Query = map[string][]string{"signature": {"query/secret"}}
	body := "you sent topsecretkey1 and headersecret and query%2Fsecret and sk-proj-abcdef123456 and Bearer abcdefghijk " + strings.Repeat("ä", 100_000)
	got := provider.Refusal(ep, 400, nil, []byte(body)).Text
	for _, secret := range []string{"topsecret", "headersecret", "query%2F", "abcdef", "user", "word@"} {
		if strings.Contains(got, secret) {
			t.Errorf("the text shows %q: %s", secret, got)
		}
	}
	if len(got) > 600 {
		t.Errorf("%d bytes of text", len(got))
	}
}

func FuzzRefusal(f *testing.F) {
	f.Add(400, "application/json", "3", `{"error":{"message":"x","code":5,"param":["a"]}}`)
	f.Add(200, "text/html", "Wed, 21 Oct 2026 07:28:00 GMT", "<html><title>")
	f.Add(429, "", "", `[{"error":{"metadata":{"raw":"Please try again in 9999999999999999999h"}}}]`)
	f.Fuzz(func(t *testing.T, status int, kind, after, body string) {
		ep := local
		ep.Key = func(ctx) (string, error) { return "topsecretkey1", nil }
		got := provider.Refusal(ep, status, header("Content-Type", kind, "Retry-After", after), []byte(body))
		switch {
		case got.Kind == "" || got.Text == "":
			t.Errorf("no kind or text: %+v", got)
		case !utf8.ValidString(got.Text) || len(got.Text) > 1500:
			t.Errorf("text of %d bytes: %q", len(got.Text), got.Text)
		case strings.Contains(got.Text, "topsecretkey1"):
			t.Errorf("the key shows: %q", got.Text)
		case got.RetryAfter < 0 || got.RetryAfter > 10*365*24*time.Hour:
			t.Errorf("wait = %v", got.RetryAfter)
		}
	})
}
