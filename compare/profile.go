package compare

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider/catalogue"
)

// Profile is a provider as a replay simulates it.
type Profile struct {
	Name  string         `json:"name"` // "openai/gpt-5.4"
	Wire  longrein.Wire  `json:"wire"`
	Cache Cache          `json:"cache"`
	Price longrein.Price `json:"price"`
	// Window is the model's, in tokens, 0 when not known.
	Window int     `json:"context_window"`
	Speed  Latency `json:"latency"`
}

// Cache is how a provider keeps prompts.
type Cache struct {
	// Marked says that only what a breakpoint of the request ends is kept and
	// found, and that writing it has a price. Otherwise the longest prefix counts
	// that two requests have in common, in blocks.
	Marked bool          `json:"marked"`
	Block  int           `json:"block,omitempty"` // tokens; 0: there is no cache
	Least  int           `json:"least"`           // tokens of the shortest prefix that is kept
	Life   time.Duration `json:"life_ns"`         // since it was used last
}

// Latency is how long a provider takes.
type Latency struct {
	Base  time.Duration `json:"base_ns"`
	Read  int           `json:"read"`  // uncached input tokens a second
	Again int           `json:"again"` // cached input tokens a second
	Write int           `json:"write"` // output tokens a second
}

// usual is what the large providers' own figures and tools' traces come to.
var usual = Latency{Base: 800 * time.Millisecond, Read: 8_000, Again: 200_000, Write: 70}

// of returns how long an answer takes.
func (l Latency) of(u longrein.Usage) time.Duration {
	at := func(tokens int64, rate int) time.Duration {
		return time.Duration(tokens) * time.Second / time.Duration(max(rate, 1))
	}
	return l.Base + at(u.Input-u.Cached, l.Read) + at(u.Cached, l.Again) + at(u.Output, l.Write)
}

// defaults are the models that stand for a provider when none is named.
var defaults = map[string]string{
	"openai": "gpt-5.4", "anthropic": "claude-sonnet-5", "openrouter": "openai/gpt-5.4", "deepseek": "deepseek-v4-pro",
}

// ParseProfile returns the profile that name stands for: a provider of the
// catalogue, and after a slash one of its models, such as "anthropic" or
// "openai/gpt-5.4"; or "none", a provider without a cache and a price.
func ParseProfile(name string, limits limit.Set) (Profile, error) {
	provider, model, _ := strings.Cut(name, "/")
	if name == "none" {
		return Profile{Name: name, Wire: longrein.WireResponses, Speed: usual}, nil
	}
	model = cmp.Or(model, defaults[provider])
	info, ok := catalogue.Lookup(provider, model)
	if !ok || info.Provider != provider {
		return Profile{}, fmt.Errorf("there is no provider profile %q: it is a provider and a model of the catalogue, such as openai, anthropic or openai/gpt-5.4, or none", name)
	}
	p := simulated(provider, limits)
	p.Name, p.Price, p.Window = provider+"/"+info.ID, info.Price, info.ContextWindow
	return p, nil
}

// ProfileOf returns the profile of the provider that the settings, such as a
// session's, name, as far as it is known, and otherwise openai's usual model.
func ProfileOf(set longrein.Settings, limits limit.Set) Profile {
	info, known := catalogue.Lookup(set.Provider, set.Model)
	if !known || info.Price == zero {
		info, known = guess(set)
	}
	if !known && set.Price == zero {
		p, err := ParseProfile("openai", limits)
		if err != nil {
			panic("compare: " + err.Error()) // a test asks for it
		}
		return p
	}
	provider := cmp.Or(info.Provider, set.Provider)
	p := simulated(provider, limits)
	p.Name, p.Price, p.Window = strings.Trim(provider+"/"+set.Model, "/"), info.Price, info.ContextWindow
	if set.Price != zero {
		p.Price = set.Price
	}
	return p
}

// guess finds the provider of a model that was recorded without one.
func guess(set longrein.Settings) (catalogue.Info, bool) {
	for _, provider := range []string{"anthropic", "openai", "gemini", "deepseek"} {
		if info, ok := catalogue.Lookup(provider, set.Model); ok {
			return info, true
		}
	}
	return catalogue.Info{}, false
}

// simulated is how a provider keeps prompts and how fast it is.
func simulated(provider string, limits limit.Set) Profile {
	p := Profile{Wire: longrein.WireResponses, Speed: usual}
	p.Cache = Cache{Block: 128, Least: 1024, Life: limits.Duration(limit.CacheLife)}
	if provider == "anthropic" {
		p.Wire = longrein.WireMessages
		p.Cache.Marked, p.Cache.Block = true, 1
	}
	return p
}
