package config

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/longrein/longrein/limit"
)

// Memory says how the memory beside the work is kept.
type Memory struct {
	// Policy is "thrifty", which forks when it is worth its price, or "fixed".
	Policy string
	Every  Every
	Budget int    // percent of the worker's own spend; 0: no bound
	Probe  string // of a new head: by "rules", or with a "model" as well
	// The parts of the thrifty policy: Stale asks the decider only where rules
	// find something that is no longer needed, Schedule waits for a cold cache.
	Stale, Schedule bool
}

// Every says when memory wakes up: one of the two is set.
type Every struct {
	Percent int // growth of the context, as a share of the model's window
	Turns   int
}

// What [Memory] has as its policy.
const (
	PolicyThrifty = "thrifty"
	PolicyFixed   = "fixed"
)

// What it has as its probe.
const (
	ProbeRules = "rules"
	ProbeModel = "model"
)

// maxTurns is more turns than any thread would go without memory.
const maxTurns = 1_000 // fixed: more is refused, and told this

// every is the kind of memory.every.
var every = kind[Every]{text.name, readEvery}

var everyForm = regexp.MustCompile(`^([0-9]{1,9})(%| turns?)$`)

func readEvery(v value) (Every, error) {
	s, err := text.read(v)
	if err != nil {
		return Every{}, wrongType(everyWanted(), v)
	}
	if s == "turn" {
		return Every{Turns: 1}, nil
	}
	form := everyForm.FindStringSubmatch(s)
	if form == nil {
		return Every{}, errors.New("want " + everyWanted())
	}
	n, _ := strconv.Atoi(form[1]) // nine digits
	switch l := limit.MemoryEvery; {
	case form[2] == "%" && (int64(n) < l.Min || int64(n) > l.Max):
		return Every{}, fmt.Errorf(`want "%d%%" to "%d%%"`, l.Min, l.Max)
	case form[2] == "%":
		return Every{Percent: n}, nil
	case n < 1 || n > maxTurns:
		return Every{}, fmt.Errorf(`want "1 turns" to "%d turns"`, maxTurns)
	}
	return Every{Turns: n}, nil
}

func everyWanted() string {
	return `a share of the context window such as "3%", a number of turns such as "5 turns", or "turn"`
}

// setEvery sets the limit too where a share is named: they are one thing.
func setEvery(s *Settings, _ []string, v value) error {
	err := every.into(v, &s.Memory.Every)
	if err != nil || s.Memory.Every.Percent == 0 {
		return err
	}
	return s.replaceLimit(limit.MemoryEvery, value{v: int64(s.Memory.Every.Percent)})
}

func setBudget(s *Settings, _ []string, v value) error {
	return s.replaceLimit(limit.MemoryBudget, v)
}

// replaceLimit sets a limit that has a key of its own, which is then its source.
func (s *Settings) replaceLimit(l *limit.Limit, v value) error {
	err := setLimit(s, []string{l.Name}, v)
	if err == nil {
		delete(s.sources, limitKey(l))
	}
	return err
}

// ownKeys are the keys that limits have beside limits.NAME.
var ownKeys = map[string]string{
	limitKey(limit.MemoryEvery):  "memory.every",
	limitKey(limit.MemoryBudget): "memory.budget",
}

func limitKey(l *limit.Limit) string { return dotted([]string{"limits", l.Name}) }

// memory completes what limits say too.
func (l *loader) memory() {
	m := &l.settings.Memory
	m.Budget = l.settings.Limits.Int(limit.MemoryBudget)
	if m.Every.Turns == 0 {
		m.Every.Percent = l.settings.Limits.Int(limit.MemoryEvery)
	}
}
