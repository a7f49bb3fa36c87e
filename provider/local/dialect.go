package local

import (
	"net/url"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// dialectOf returns how a kind of server departs from the wire. All know the
// older name of the output limit and put chats into a model's template, which
// knows no developer and, for some models, wants call ids of nine digits.
func dialectOf(k Kind) longrein.Dialect {
	d := longrein.Dialect{Server: string(k), SystemRole: true, MaxTokensField: "max_tokens"}
	switch k {
	case Ollama:
		d.Omit = []string{"parallel_tool_calls"}
	case LMStudio:
		d.DigitIDs = true
		d.Omit = []string{"parallel_tool_calls"}
	case LlamaCpp, VLLM:
		d.DigitIDs = true
	}
	return d
}

// hosts are the servers that are known by name. The names below a host are the
// same server.
var hosts = []struct {
	names   []string
	dialect longrein.Dialect
}{
	{[]string{"api.openai.com", "openai.azure.com"}, longrein.Dialect{Server: "openai"}},
	{[]string{"api.anthropic.com"}, longrein.Dialect{Server: "anthropic"}},
	{[]string{"openrouter.ai"}, longrein.Dialect{
		Server: "openrouter", SystemRole: true, MaxTokensField: "max_tokens", EchoReasoning: "reasoning",
	}},
	// DeepSeek refuses a call without the reasoning that led to it.
	{[]string{"api.deepseek.com"}, longrein.Dialect{
		Server: "deepseek", SystemRole: true, MaxTokensField: "max_tokens", EchoReasoning: "reasoning_content",
	}},
	{[]string{"moonshot.ai", "moonshot.cn", "z.ai", "bigmodel.cn"}, longrein.Dialect{
		SystemRole: true, MaxTokensField: "max_tokens", EchoReasoning: "reasoning_content",
	}},
	{[]string{"mistral.ai"}, longrein.Dialect{
		SystemRole: true, MaxTokensField: "max_tokens", DigitIDs: true, Omit: []string{"stream_options"},
	}},
}

// DialectFor guesses the dialect of the server at a base URL from its host. For
// a host that it does not know it returns what most compatible servers take.
func DialectFor(baseURL string) longrein.Dialect {
	if u, err := url.Parse(baseURL); err == nil {
		host := strings.ToLower(u.Hostname())
		for _, h := range hosts {
			if slices.ContainsFunc(h.names, func(n string) bool { return host == n || strings.HasSuffix(host, "."+n) }) {
				d := h.dialect
				d.Omit = slices.Clone(d.Omit)
				return d
			}
		}
	}
	return dialectOf(Unknown)
}
