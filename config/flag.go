package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Flag is a flag as it was typed. Name is "-c", whose Value is KEY=VALUE, or one
// of those that stand for a key: "-m", "-p", "--strategy", "--approval" and
// "--sandbox".
type Flag struct{ Name, Value string }

// flagKeys are the keys that flags stand for.
var flagKeys = map[string]string{
	"-m": "model", "-p": "provider", "--strategy": "strategy", "--approval": "approval", "--sandbox": "sandbox",
}

// flags applies the flags in their order.
func (l *loader) flags(flags []Flag) {
	for _, f := range flags {
		if key, ok := flagKeys[f.Name]; ok {
			v := value{v: f.Value, folder: l.cwd, home: l.home}
			l.table([]string{key}, v, func([]string) place { return place{source: f.Name} })
			continue
		}
		l.assignment(f)
	}
}

// assignment applies "-c KEY=VALUE".
func (l *loader) assignment(f Flag) {
	key, raw, err := cutAssignment(f.Value)
	var path []string
	if err == nil {
		path, err = parseKey(key)
	}
	if err != nil {
		l.problem(f.Name, err.Error())
		return
	}
	l.table(path, l.typed(raw), func([]string) place { return place{source: f.Name + " " + key} })
}

// cutAssignment cuts at the first = outside of quotes.
func cutAssignment(s string) (key, raw string, err error) {
	var quote rune
	for i, r := range s {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case quote == 0 && r == '=':
			return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:]), nil
		}
	}
	return "", "", errors.New("want KEY=VALUE, such as sandbox=read-only")
}

// parseKey returns the parts of a dotted key.
func parseKey(key string) ([]string, error) {
	var doc any
	err := toml.Unmarshal([]byte(key+" = 0"), &doc)
	if err != nil || strings.ContainsAny(key, "\n#") {
		return nil, fmt.Errorf("%q is no key; want one such as sandbox, limits.tool-output or models.\"gpt-5.4\".effort", key)
	}
	var path []string
	for m, ok := doc.(map[string]any); ok; m, ok = doc.(map[string]any) {
		for part, rest := range m {
			path, doc = append(path, part), rest
		}
	}
	return path, nil
}
