package sim

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed scripts/*.sim
var scripts embed.FS

// Builtins returns the names of the built-in scripts, in order. As models they
// are called "sim:" and the name.
func Builtins() []string {
	files, err := scripts.ReadDir("scripts")
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(files))
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".sim"))
	}
	slices.Sort(names)
	return names
}

// Builtin returns the built-in script of that name; "sim:" before it is allowed.
// An unknown name is an error that lists the known ones.
func Builtin(name string) (*Script, error) {
	name = strings.TrimPrefix(name, "sim:")
	if !slices.Contains(Builtins(), name) {
		return nil, fmt.Errorf("there is no simulated model %q; there are %s", name, strings.Join(Builtins(), ", "))
	}
	text, err := scripts.ReadFile("scripts/" + name + ".sim")
	if err != nil {
		return nil, fmt.Errorf("read script %s: %w", name, err)
	}
	return ParseScript(name, text)
}
