package config

import (
	"slices"
	"time"

	"github.com/longrein/longrein"
)

// key is one setting there is.
type key struct {
	path []string // anyName stands for a name of the user's
	kind string   // in the words of docs/settings.md
	// set puts v into s; names are what stands for anyName. Its error says what
	// is wanted and never shows v, which may be a secret.
	set func(s *Settings, names []string, v value) error
}

// anyName stands for a name that the user chose.
const anyName = "*"

// keys is every setting there is.
var keys = []key{
	top("model", word, func(s *Settings) *string { return &s.Model }),
	top("provider", word, func(s *Settings) *string { return &s.Provider }),
	{[]string{"strategy"}, word.name, setStrategy},
	top("approval", oneOf("never", "on-request", "on-failure", "untrusted"), func(s *Settings) *string { return &s.Approval }),
	top("sandbox", oneOf("read-only", "workspace-write", "full"), func(s *Settings) *string { return &s.Sandbox }),
	top("effort", word, func(s *Settings) *string { return &s.Effort }),
	top("max_output_tokens", tokens, func(s *Settings) *int { return &s.MaxOutputTokens }),
	{[]string{"base_instructions"}, text.name, setBase},
	{[]string{"base_instructions_file"}, path.name, setBaseFile},
	top("personality", oneOf(Personalities...), func(s *Settings) *string { return &s.Personality }),
	top("snapshots", boolean, func(s *Settings) *bool { return &s.Snapshots }),

	ofProvider("base_url", address, func(p *Provider) *string { return &p.BaseURL }),
	ofProvider("wire", wire, func(p *Provider) *longrein.Wire { return &p.Wire }),
	ofProvider("key_env", keyEnv, func(p *Provider) *Key { return &p.Key }),
	ofProvider("key_file", keyFile, func(p *Provider) *Key { return &p.Key }),
	ofProvider("key_command", keyCommand, func(p *Provider) *Key { return &p.Key }),
	ofProvider("proxy", proxy, func(p *Provider) *string { return &p.Proxy }),
	{[]string{"providers", anyName, "headers", anyName}, text.name, setHeader},
	{[]string{"providers", anyName, "query", anyName}, text.name, setQuery},
	ofProvider("ca_file", path, func(p *Provider) *string { return &p.CAFile }),
	ofProvider("server", server, func(p *Provider) *string { return &p.Server }),

	ofModel("context_window", tokens, func(m *Model) *int { return &m.ContextWindow }),
	ofModel("max_output_tokens", tokens, func(m *Model) *int { return &m.MaxOutputTokens }),
	ofModel("effort", word, func(m *Model) *string { return &m.Effort }),
	ofModel("base_instructions", text, func(m *Model) *string { return &m.Base }),
	ofModel("input_price", price, func(m *Model) **float64 { return &m.Price.Input }),
	ofModel("cached_price", price, func(m *Model) **float64 { return &m.Price.Cached }),
	ofModel("cache_write_price", price, func(m *Model) **float64 { return &m.Price.CacheWrite }),
	ofModel("output_price", price, func(m *Model) **float64 { return &m.Price.Output }),

	{[]string{"limits", anyName}, quantity, setLimit},

	ofMemory("policy", oneOf(PolicyThrifty, PolicyFixed), func(m *Memory) *string { return &m.Policy }),
	{[]string{"memory", "every"}, every.name, setEvery},
	{[]string{"memory", "budget"}, "integer", setBudget},
	ofMemory("probe", oneOf(ProbeRules, ProbeModel), func(m *Memory) *string { return &m.Probe }),
	ofMemory("stale", boolean, func(m *Memory) *bool { return &m.Stale }),
	ofMemory("schedule", boolean, func(m *Memory) *bool { return &m.Schedule }),

	ofTools("network", boolean, func(t *Tools) *bool { return &t.Network }),
	ofTools("writable", listOf(path), func(t *Tools) *[]string { return &t.Writable }),
	ofTools("env_deny", listOf(variables), func(t *Tools) *[]string { return &t.EnvDeny }),
	ofTools("env_keep", listOf(variables), func(t *Tools) *[]string { return &t.EnvKeep }),
	{[]string{"agents_md", "fallbacks"}, listOf(fileName).name, setFallbacks},

	in("skills", "enabled", boolean, func(s *Settings) *bool { return &s.Skills.Enabled }),
	in("skills", "folders", listOf(path), func(s *Settings) *[]string { return &s.Skills.Folders }),
	in("threads", "keep", age, func(s *Settings) *time.Duration { return &s.Threads.Keep }),
	in("threads", "archived_keep", age, func(s *Settings) *time.Duration { return &s.Threads.ArchivedKeep }),
	in("threads", "keep_named", boolean, func(s *Settings) *bool { return &s.Threads.KeepNamed }),
	in("privacy", "redact", boolean, func(s *Settings) *bool { return &s.Privacy.Redact }),
}

func top[T any](name string, k kind[T], at func(*Settings) *T) key {
	return key{[]string{name}, k.name, func(s *Settings, _ []string, v value) error {
		return k.into(v, at(s))
	}}
}

func in[T any](table, name string, k kind[T], at func(*Settings) *T) key {
	return key{[]string{table, name}, k.name, func(s *Settings, _ []string, v value) error {
		return k.into(v, at(s))
	}}
}

func ofProvider[T any](name string, k kind[T], at func(*Provider) *T) key {
	return key{[]string{"providers", anyName, name}, k.name, func(s *Settings, names []string, v value) error {
		p := s.Providers[names[0]]
		defer func() { s.Providers[names[0]] = p }()
		return k.into(v, at(&p))
	}}
}

func ofModel[T any](name string, k kind[T], at func(*Model) *T) key {
	return key{[]string{"models", anyName, name}, k.name, func(s *Settings, names []string, v value) error {
		m := s.Models[names[0]]
		defer func() { s.Models[names[0]] = m }()
		return k.into(v, at(&m))
	}}
}

func ofMemory[T any](name string, k kind[T], at func(*Memory) *T) key {
	return key{[]string{"memory", name}, k.name, func(s *Settings, _ []string, v value) error {
		return k.into(v, at(&s.Memory))
	}}
}

func ofTools[T any](name string, k kind[T], at func(*Tools) *T) key {
	return key{[]string{"tools", name}, k.name, func(s *Settings, _ []string, v value) error {
		return k.into(v, at(&s.Tools))
	}}
}

// find returns the key that path names, with the names that the user chose.
func find(path []string) (k *key, names []string) {
	for i := range keys {
		if len(keys[i].path) == len(path) && begins(keys[i].path, path) {
			return &keys[i], chosen(keys[i].path, path)
		}
	}
	return nil, nil
}

// isTable reports whether path is that of a table, which has keys in it.
func isTable(path []string) bool {
	return slices.ContainsFunc(keys, func(k key) bool {
		return len(k.path) > len(path) && begins(k.path, path)
	})
}

// begins reports whether a key's path begins with what path names.
func begins(keyPath, path []string) bool {
	if len(path) > len(keyPath) {
		return false
	}
	for i, part := range path {
		if keyPath[i] != part && keyPath[i] != anyName {
			return false
		}
	}
	return true
}

func chosen(keyPath, path []string) []string {
	var names []string
	for i, part := range keyPath {
		if part == anyName {
			names = append(names, path[i])
		}
	}
	return names
}
