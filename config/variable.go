package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/longrein/longrein"
)

// prefix begins the variables that hold settings. Those of a limit go on with
// limitPrefix and the limit's name; the others with the key's, dots as _.
const (
	prefix      = "LONGREIN_"
	limitPrefix = prefix + "LIMITS_"
	homeVar     = prefix + "HOME"
)

// environment applies the variables of env, which has the form of os.Environ.
// An empty one is not set.
func (l *loader) environment(env []string) {
	for _, pair := range env {
		name, raw, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, prefix) || raw == "" || name == homeVar {
			continue
		}
		path := variablePath(name)
		if path == nil {
			l.unusedVariable(name)
			continue
		}
		l.table(path, l.typed(raw), func([]string) place { return place{source: name} })
	}
}

// variablePath returns the path of the key that the variable is for, nil if it
// is for none.
func variablePath(name string) []string {
	if limitName, ok := strings.CutPrefix(name, limitPrefix); ok {
		return []string{"limits", strings.ReplaceAll(strings.ToLower(limitName), "_", "-")}
	}
	for _, k := range keys {
		if variableName(k) == name {
			return k.path
		}
	}
	return nil
}

// variableName returns the variable for k, "" if k has a name of the user's in
// its path.
func variableName(k key) string {
	if slices.Contains(k.path, anyName) {
		return ""
	}
	return prefix + strings.ToUpper(strings.Join(k.path, "_"))
}

// unusedVariable warns of what looks like a slip. Other names may belong to
// other programs or versions, so they are no error.
func (l *loader) unusedVariable(name string) {
	var names []string
	for _, k := range keys {
		names = append(names, variableName(k))
	}
	if near, ok := nearest(strings.TrimPrefix(name, prefix), lowered(names)); ok {
		l.warn(fmt.Sprintf("the variable %s is no setting and was passed over; did you mean %s%s?", name, prefix, strings.ToUpper(near)))
	}
}

func lowered(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.ToLower(strings.TrimPrefix(n, prefix))
	}
	return out
}

func (l *loader) warn(text string) {
	l.settings.Warnings = append(l.settings.Warnings, longrein.Warning{Text: text})
}

// typed is a value that was typed in a variable or flag: TOML if it reads as
// TOML, else a string.
func (l *loader) typed(raw string) value {
	v := value{v: raw, raw: raw, folder: l.cwd, home: l.home}
	var doc map[string]any
	if err := toml.Unmarshal([]byte("v = "+raw), &doc); err == nil && len(doc) == 1 {
		v.v = doc["v"]
	}
	return v
}
