package openai

import (
	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
)

// chatUsage finds the usage that a chunk reports, at any of the places where
// servers put it. Input holds the cached tokens everywhere.
func chatUsage(ev gjson.Result) (longrein.Usage, bool) {
	u := firstOf(ev, "usage", "choices.0.usage", "x_groq.usage")
	if !u.IsObject() {
		return longrein.Usage{}, false
	}
	return longrein.Usage{
		Input: u.Get("prompt_tokens").Int(),
		Cached: max(ev.Get("timings.cache_n").Int(), // llama.cpp
			firstOf(u,
				"prompt_tokens_details.cached_tokens",
				"prompt_cache_hit_tokens", // DeepSeek
				"cached_tokens",           // Moonshot
				"cache_read_input_tokens", // proxies to Anthropic
			).Int()),
		CacheWrite: firstOf(u, "prompt_tokens_details.cache_write_tokens", "cache_creation_input_tokens").Int(),
		Output:     u.Get("completion_tokens").Int(),
		Reasoning:  firstOf(u, "completion_tokens_details.reasoning_tokens", "reasoning_tokens").Int(),
		Reported:   true,
	}, true
}

// firstOf returns the first value that is an object or a number other than 0.
func firstOf(v gjson.Result, paths ...string) gjson.Result {
	for _, p := range paths {
		if r := v.Get(p); r.IsObject() || r.Int() != 0 {
			return r
		}
	}
	return gjson.Result{}
}
