package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein/limit"
)

func TestMemory(t *testing.T) {
	usual := func(change func(*Memory)) Memory {
		m := Memory{Policy: "thrifty", Every: Every{Percent: 3}, Budget: 25, Probe: "rules", Stale: true, Schedule: true}
		change(&m)
		return m
	}
	for name, c := range map[string]struct {
		file string
		want Memory
	}{
		"what is built in":                          {"", usual(func(*Memory) {})},
		"a share of the window":                     {"[memory]\nevery = '50%'", usual(func(m *Memory) { m.Every.Percent = 50 })},
		"a number of turns":                         {"[memory]\nevery = '5 turns'", usual(func(m *Memory) { m.Every = Every{Turns: 5} })},
		"one turn":                                  {"[memory]\nevery = '1 turn'", usual(func(m *Memory) { m.Every = Every{Turns: 1} })},
		"every turn":                                {"[memory]\nevery = 'turn'", usual(func(m *Memory) { m.Every = Every{Turns: 1} })},
		"a budget that is off":                      {"[memory]\nbudget = 0", usual(func(m *Memory) { m.Budget = 0 })},
		"a part that is off":                        {"[memory]\nstale = false", usual(func(m *Memory) { m.Stale = false })},
		"the limits in their place":                 {"[limits]\nmemory-every = 7\nmemory-budget = 8", usual(func(m *Memory) { m.Every.Percent, m.Budget = 7, 8 })},
		"of the two the later":                      {"[memory]\nevery = '5%'\nbudget = 6\n[limits]\nmemory-every = 7", usual(func(m *Memory) { m.Every.Percent, m.Budget = 7, 6 })},
		"of the two the later, the other way round": {"[limits]\nmemory-every = 7\n[memory]\nevery = '5%'", usual(func(m *Memory) { m.Every.Percent = 5 })},
	} {
		s := mustLoad(t, c.file)
		if diff := cmp.Diff(c.want, s.Memory); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if got, want := s.Limits.Int(limit.MemoryEvery), c.want.Every.Percent; want > 0 && got != want {
			t.Errorf("%s: the limit is %d, want %d", name, got, want)
		}
	}
}

func TestALimitWithAKeyOfItsOwnKnowsItsSource(t *testing.T) {
	s := mustLoad(t, "[limits]\nmemory-budget = 3\n", "LONGREIN_MEMORY_EVERY=4%", "LONGREIN_MEMORY_BUDGET=5")
	for key, want := range map[string]string{
		"limits.memory-every":  "LONGREIN_MEMORY_EVERY",
		"limits.memory-budget": "LONGREIN_MEMORY_BUDGET",
		"limits.tool-output":   "built-in",
	} {
		if got := s.Source(key); got != want {
			t.Errorf("the source of %s is %q, want %q", key, got, want)
		}
	}
}
