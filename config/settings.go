package config

import (
	"maps"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Settings holds the value of every key. It is not changed after [Load].
type Settings struct {
	Model, Provider string // empty: not set
	Strategy        string
	Approval        string // "never", "on-request", "on-failure" or "untrusted"
	Sandbox         string // "read-only", "workspace-write" or "full"
	Effort          string // reasoning effort, as the provider names it
	MaxOutputTokens int    // 0: the model's own limit
	Base            string // base instructions; empty: the thread's or the built-in ones
	Personality     string // of the built-in base instructions; one of [Personalities]
	Snapshots       bool   // files are remembered before a turn changes them
	Providers       map[string]Provider
	Models          map[string]Model
	Limits          limit.Set
	Memory          Memory
	Tools           Tools
	Fallbacks       []string // names of files that are read where there is no AGENTS.md
	Skills          Skills
	Privacy         Privacy
	Threads         Threads

	Paths    Paths
	Warnings []longrein.Warning

	strategies []string // that there are; none: any name is taken
	baseFile   string
	sources    map[string]string // by dotted key
}

// Provider says where and how a provider is reached.
type Provider struct {
	BaseURL string // empty only for the simulated one
	Wire    longrein.Wire
	Key     Key
	Proxy   string            // URL, "direct", or empty for the environment's; may hold a password
	Headers map[string]string // sent with every request
	Query   map[string]string // added to every URL
	CAFile  string            // absolute; PEM with further authorities
	Server  string            // kind of server, as in [longrein.Dialect]; empty: found out
}

// Key says where a provider's key comes from: at most one is set.
type Key struct {
	Env     string // name of a variable
	File    string // absolute path
	Command string // for the shell; prints the key
}

// Model holds what is known of a model. Zero values are looked up.
type Model struct {
	ContextWindow   int // tokens
	MaxOutputTokens int
	Effort          string
	Base            string // base instructions of threads that begin with it; empty: the built-in ones
	Price           Price
}

// Price is in US dollars for a million tokens; nil means that it was not set.
type Price struct {
	Input, Cached, CacheWrite, Output *float64
}

// Tools limits what tools may do.
type Tools struct {
	Network  bool     // commands may use the network
	Writable []string // further folders that commands may write to; absolute
	EnvDeny  []string // variables that commands do not see; * and ? stand for others
	EnvKeep  []string // variables that they see although they look like secrets
}

// Skills says where folders with SKILL.md are looked for.
type Skills struct {
	Enabled bool
	Folders []string // besides the usual ones; absolute
}

// Privacy says what is kept out of logs.
type Privacy struct {
	Redact bool // secrets are replaced before they are recorded
}

// Personalities are the manners of the built-in base instructions.
var Personalities = []string{"plain", "friendly", "terse"}

// builtIn is what holds before anything is read.
func builtIn() *Settings {
	return &Settings{
		Strategy: "background", Approval: "on-request", Sandbox: "workspace-write",
		Personality: Personalities[0], Snapshots: true, Skills: Skills{Enabled: true}, Privacy: Privacy{Redact: true}, Threads: Threads{KeepNamed: true},
		Memory: Memory{Policy: PolicyThrifty, Probe: ProbeRules, Stale: true, Schedule: true},
		Models: map[string]Model{}, sources: map[string]string{},
		Providers: map[string]Provider{
			"openai":     remote("https://api.openai.com/v1", longrein.WireResponses, "openai", "OPENAI_API_KEY"),
			"anthropic":  remote("https://api.anthropic.com", longrein.WireMessages, "anthropic", "ANTHROPIC_API_KEY"),
			"openrouter": remote("https://openrouter.ai/api/v1", longrein.WireChat, "openrouter", "OPENROUTER_API_KEY"),
			"deepseek":   remote("https://api.deepseek.com", longrein.WireChat, "deepseek", "DEEPSEEK_API_KEY"),
			"ollama":     local("http://127.0.0.1:11434/v1", "ollama"),
			"llama.cpp":  local("http://127.0.0.1:8080/v1", "llama.cpp"),
			"lmstudio":   local("http://127.0.0.1:1234/v1", "lmstudio"),
			"vllm":       local("http://127.0.0.1:8000/v1", "vllm"),
			simulated:    {Wire: longrein.WireResponses, Server: "sim"},
		},
	}
}

// BuiltIn reports whether a provider of that name is there without any settings.
func BuiltIn(name string) bool {
	_, ok := builtIn().Providers[name]
	return ok
}

// simulated is the provider that needs no address.
const simulated = "sim"

// local is a server on this machine, at its usual port and without a key.
func local(url, server string) Provider {
	return Provider{BaseURL: url, Wire: longrein.WireChat, Server: server}
}

func remote(url string, wire longrein.Wire, server, variable string) Provider {
	return Provider{BaseURL: url, Wire: wire, Server: server, Key: Key{Env: variable}}
}

// Source says where the value of key comes from: "/home/me/.config/longrein/config.toml:3",
// "LONGREIN_MODEL", "-c" or "built-in". Parts of key that are no plain words
// stand in quotes, as in TOML: models."gpt-5.4".effort.
func (s *Settings) Source(key string) string {
	for _, k := range []string{key, ownKeys[key]} {
		if src, ok := s.sources[k]; ok {
			return src
		}
	}
	return "built-in"
}

// Changed returns the keys whose source is not "built-in", sorted.
func (s *Settings) Changed() []string { return slices.Sorted(maps.Keys(s.sources)) }
