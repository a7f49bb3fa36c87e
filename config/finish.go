package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// finish checks and completes what no single key can. It does nothing when
// something is wrong already, since that may be the reason.
func (l *loader) finish() {
	if len(l.problems) > 0 {
		return
	}
	s := l.settings
	names := slices.Sorted(maps.Keys(s.Providers))
	for _, name := range names {
		l.provider(name)
	}
	if _, ok := s.Providers[s.Provider]; !ok && s.Provider != "" {
		l.problem(s.Source("provider"), fmt.Sprintf("provider: want %s, or a further one made by [providers.NAME] with a base_url%s",
			either(names), DidYouMean(s.Provider, names)))
	}
	if s.baseFile != "" {
		l.baseInstructions()
	}
	l.memory()
}

// provider checks one and sets what it leaves out.
func (l *loader) provider(name string) {
	p := l.settings.Providers[name]
	if p.BaseURL == "" && name != simulated {
		l.problem(l.sourceOf("providers", name), fmt.Sprintf("%s needs a base_url", dotted([]string{"providers", name})))
	}
	p.Wire = cmp.Or(p.Wire, longrein.WireChat)
	l.settings.Providers[name] = p
}

// sourceOf is the source of the first key that was set in a table.
func (l *loader) sourceOf(table ...string) string {
	for _, key := range l.settings.Changed() {
		if strings.HasPrefix(key, dotted(table)+".") {
			return l.settings.Source(key)
		}
	}
	return "settings"
}

func (l *loader) baseInstructions() {
	data, err := read(l.settings.baseFile, l.settings.Limits)
	if err != nil {
		l.problem(l.settings.Source("base_instructions_file"), fmt.Sprintf("the file %s %v", l.settings.baseFile, err))
		return
	}
	l.settings.Base = strings.ToValidUTF8(string(data), "\uFFFD")
}
