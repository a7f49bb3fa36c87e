package turn

import (
	"fmt"
	"slices"
	"time"

	"github.com/longrein/longrein"
)

// unlooked reports whether the outside has to be looked at before the model is asked:
// once a turn, and again for what a user says meanwhile.
func (m *Machine) unlooked() bool {
	return !m.current || m.outside == nil && len(m.due()) > 0
}

// glance asks what has changed outside since the model was told of it.
func (m *Machine) glance() {
	m.why = ""
	m.phase = surveying
	m.effect(Survey{Seen: m.seen(), Inputs: m.dueTexts()})
}

// glanced takes in what a glance has found. Without an answer the turn goes on with
// what the model knows.
func (m *Machine) glanced(now time.Time, s Surveyed) {
	if s.Err != nil {
		m.emit(now, longrein.Warning{Text: fmt.Sprintf("what has changed outside could not be told: %v", s.Err)})
	}
	for _, h := range s.Hits {
		m.emit(now, h)
	}
	m.current = true
	m.outside = &Surveyed{Changes: s.Changes, Skills: s.Skills}
	m.safePoint(now)
}

// seen are the window's fragments that tell of the outside.
func (m *Machine) seen() []longrein.Entry {
	var out []longrein.Entry
	for _, e := range m.state.Entries() {
		if f, ok := e.Item.(longrein.Fragment); ok && slices.Contains(outsideTags, f.Tag) {
			out = append(out, e)
		}
	}
	return out
}

var outsideTags = []longrein.Tag{
	longrein.TagPermissions, longrein.TagInstructions, longrein.TagEnvironment,
	longrein.TagSkills, longrein.TagSkill,
}

func (m *Machine) dueTexts() []string {
	var texts []string
	for _, w := range m.due() {
		texts = append(texts, w.Text)
	}
	return texts
}

// show appends fragments that the window does not have yet.
func (m *Machine) show(now time.Time, entries []longrein.Entry) {
	for _, e := range entries {
		if !m.shown(e.Item) {
			m.emit(now, longrein.Appended{Entry: e})
		}
	}
}

// shown reports whether the window has a skill already; what tells of a change is
// shown even if it repeats what an older one said.
func (m *Machine) shown(it longrein.Item) bool {
	f, ok := it.(longrein.Fragment)
	return ok && f.Tag == longrein.TagSkill && slices.ContainsFunc(m.state.Entries(), func(e longrein.Entry) bool { return e.Item == it })
}
