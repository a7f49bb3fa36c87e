// Package lint looks at what a model is told beside the conversation, and says
// what of it will not work as it was meant: rules that are cut off or that stand
// where they do not last, two files that want opposite things, tags that pass for
// the harness's own, and settings that keep a provider's cache from being used.
//
//	folders, threads ─► Read ─► Subject ─► Check ─► findings
//
// [Check] is a pure function over a [Subject]; [Read] fills the part of one that
// lies in files. It is not for settings files, whose errors config tells, and not
// for skills' own form, which package skill checks. It understands no language: a
// rule is a sentence with one of a few words in it.
package lint

import (
	"fmt"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// State says how much a finding matters.
type State string

// The states: as it should be; good to know; something is not as it was meant.
const (
	OK   State = "ok"
	Note State = "note"
	Bad  State = "bad"
)

// Finding is one thing that was looked at: what is so, and what to do about it.
type Finding struct {
	What  string `json:"what"` // "instructions", "skills", "notes" or "cache"
	State State  `json:"state"`
	Text  string `json:"text"`
	Where string `json:"where,omitempty"` // PATH:LINE, PATH, or what else to look at
}

// Kind is what a text is for, and so how long it lives.
type Kind string

// The kinds of texts.
const (
	Base         Kind = "base instructions" // rebuilt for every request
	Instructions Kind = "instructions"      // AGENTS.md and its kin, at the start of every window
	Skill        Kind = "skill"             // only in the window it was mentioned in
	Notes        Kind = "notes"             // a thread's own, rewritten by models
)

// Text is one text that a model is told, or that seems to be meant for it.
type Text struct {
	Kind Kind
	Path string // or another name to find it by
	Text string
	Size int64 // in bytes, where Text is only the beginning
	// Unseen is set when the model is not told it, since Instead is read in its place
	// or, when that is empty, because no setting names it.
	Unseen  bool
	Instead string
}

// Settings are those of a thread, and how to find it.
type Settings struct {
	Where string
	longrein.Settings
}

// Subject is everything that is looked at.
type Subject struct {
	Texts    []Text
	Hits     []longrein.LimitHit // of limits on Texts; Where is a text's path
	Warnings []longrein.Warning  // of texts that could not be read as they are
	LeftOut  []string            // skills that have no room in the list of them
	Settings []Settings          // of threads, in the order in which they were used
	Limits   limit.Set
}

// Check returns what is wrong with s and what is good to know, in a fixed order.
// If that is nothing it returns one finding that says so.
func Check(s Subject) []Finding {
	var found []Finding
	for _, w := range s.Warnings {
		found = append(found, Finding{"instructions", Bad, w.Text, ""})
	}
	for _, check := range []func(Subject) []Finding{
		cuts, hidden, contradictions, tags, shortLived, leftOut, clocks, toolOrder,
	} {
		found = append(found, s.first(check(s))...)
	}
	if len(found) > 0 {
		return found
	}
	return []Finding{{"instructions", OK, s.summary(), ""}}
}

// first returns as many findings of one kind as the limit lint-findings allows,
// the worst first, and says how many more there are.
func (s Subject) first(found []Finding) []Finding {
	slices.SortStableFunc(found, func(a, b Finding) int { return rank[a.State] - rank[b.State] })
	most := s.Limits.Int(limit.LintFindings)
	if len(found) <= most {
		return found
	}
	more := Finding{found[most].What, Note, fmt.Sprintf("and %d more like these (limit %s = %d)", len(found)-most, limit.LintFindings.Name, most), ""}
	return append(found[:most:most], more)
}

var rank = map[State]int{Bad: 0, Note: 1, OK: 2}

// summary says what was looked at.
func (s Subject) summary() string {
	files, bytes := 0, 0
	for _, t := range s.Texts {
		if t.Kind == Instructions && !t.Unseen {
			files, bytes = files+1, bytes+len(t.Text)
		}
	}
	if files == 0 {
		return "no AGENTS.md here; one in this folder would be told to the model"
	}
	return fmt.Sprintf("%d files with %d bytes, as they should be", files, bytes)
}

// told returns the texts of some kinds that the model is told.
func (s Subject) told(kinds ...Kind) []Text {
	var out []Text
	for _, t := range s.Texts {
		if !t.Unseen && slices.Contains(kinds, t.Kind) {
			out = append(out, t)
		}
	}
	return out
}

// at is the place of a line in a text.
func (t Text) at(line int) string { return fmt.Sprintf("%s:%d", t.Path, line) }
