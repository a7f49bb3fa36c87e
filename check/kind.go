package check

import (
	"fmt"
	"slices"

	"github.com/longrein/longrein/compare"
)

// Kind describes a kind of rule.
type Kind struct {
	Name    string
	What    string   // holds when it holds
	Needs   []string // its keys; "a or b" where it takes one of two
	Takes   []string // further keys that it may have
	Example string   // a whole [[rule]]
}

// Kinds returns the kinds of rules there are.
func Kinds() []Kind {
	var all []Kind
	for _, k := range kinds {
		one := Kind{Name: k.name, What: k.what, Takes: k.takes, Example: "[[rule]]\nkind = \"" + k.name + "\"\n" + k.example}
		for _, group := range k.needs {
			one.Needs = append(one.Needs, either(group))
		}
		all = append(all, one)
	}
	return all
}

// kind is what there is to know of a kind of rule.
type kind struct {
	name, what string
	needs      [][]string // groups of keys, of each of which a rule has exactly one
	takes      []string
	example    string
	says       func(Rule) string // what a rule states
	judge      func(Rule, scene) judge
}

// ofAll are the keys that every rule takes.
var ofAll = []string{"name", "optional", "strategy", "window", "profile"}

// all are the keys that a rule of the kind takes.
func (k *kind) all() []string {
	return slices.Concat(slices.Concat(k.needs...), k.takes, ofAll)
}

func find(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

// judge watches the requests of a replay for one rule. It is asked no more once it
// has found something.
type judge interface {
	see(request) *finding
	end(*compare.Result) *finding
}

// finding is why a rule does not hold.
type finding struct {
	at  compare.Point // the worker's request at which it shows
	got string
	// empty says that the session has nothing to judge the rule by, for the reason
	// got.
	empty bool
}

func nothing(format string, args ...any) *finding {
	return &finding{got: fmt.Sprintf(format, args...), empty: true}
}

func at(p compare.Point, format string, args ...any) *finding {
	return &finding{at: p, got: fmt.Sprintf(format, args...)}
}

// scene is what a judge knows before a replay.
type scene struct {
	session *compare.Session
	profile compare.Profile
}

// Judges of which only one half matters embed the other.
type (
	seesNothing struct{}
	endsWell    struct{}
)

func (seesNothing) see(request) *finding      { return nil }
func (endsWell) end(*compare.Result) *finding { return nil }

// kinds is every kind there is.
var kinds = []kind{
	survivesKind, neverKind, alwaysKind, toolsKind, contextKind, breakKind,
	costKind, hitsKind, windowsKind, memoryKind, stallKind, retentionKind,
}
