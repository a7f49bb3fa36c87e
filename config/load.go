package config

import (
	"cmp"
	"maps"
	"slices"
)

// Options says where settings come from.
type Options struct {
	Home       string   // of --home; empty: see [Homes]
	Cwd        string   // the working directory, absolute
	Env        []string // as from os.Environ
	Flags      []Flag   // in the order they were given
	Strategies []string // the names there are; none: any name is taken
}

// Load returns the settings in force in a working directory. Its error is an
// [*Error], which lists all that is wrong with all sources.
func Load(o Options) (*Settings, error) {
	l := loader{settings: builtIn(), cwd: o.Cwd, home: userHome(o.Env)}
	l.settings.strategies = o.Strategies
	l.settings.Paths = Homes(o.Home, o.Env)
	l.userFile()
	l.projectFile()
	l.environment(o.Env)
	l.flags(o.Flags)
	l.finish()
	if len(l.problems) > 0 {
		return nil, &Error{l.problems}
	}
	return l.settings, nil
}

// loader applies one source after the other.
type loader struct {
	settings  *Settings
	problems  []Problem
	cwd, home string
}

func (l *loader) problem(where, text string) {
	l.problems = append(l.problems, Problem{where, text})
}

// table applies what is at path in a source: the value of a key, or a table of
// further keys.
func (l *loader) table(path []string, v value, at func([]string) place) {
	m, ok := v.v.(map[string]any)
	if !ok || !isTable(path) {
		l.key(path, v, at(path))
		return
	}
	for _, part := range inOrder(m, path, at) {
		v.v, v.raw = m[part], ""
		l.table(append(slices.Clip(path), part), v, at)
	}
}

// inOrder returns the parts of a table as they stand in the source, so that the
// later wins there too and problems come in order.
func inOrder(m map[string]any, path []string, at func([]string) place) []string {
	where := make(map[string]place, len(m))
	for part := range m {
		where[part] = at(append(slices.Clip(path), part))
	}
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(where[a].line, where[b].line),
			cmp.Compare(where[a].column, where[b].column), cmp.Compare(a, b))
	})
}

// key applies the value of one key.
func (l *loader) key(path []string, v value, at place) {
	k, names := find(path)
	if k == nil {
		l.problem(at.String(), unknown(path))
		return
	}
	if err := k.set(l.settings, names, v); err != nil {
		l.problem(at.String(), dotted(path)+": "+err.Error())
		return
	}
	l.settings.sources[dotted(path)] = at.short()
}
