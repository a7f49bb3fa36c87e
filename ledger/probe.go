package ledger

import "fmt"

// Kinds of probes, the most important first.
const (
	PlanItem        = "plan item"
	UnresolvedError = "unresolved error"
	Constraint      = "constraint"
	ChangedFile     = "changed file"
	UsedValue       = "value"
)

// Probe is one thing that the head of a new window must show.
type Probe struct {
	Kind string // such as [PlanItem]
	Text string // what must be visible, with single spaces
	Line string // what makes it so in a head that lacks it
	Seq  int64  // the record it rests on
}

// Probes returns what a new head must show: each open plan item, each unresolved
// error, each constraint, each changed file, and each value that was used in the
// record recent or later. The most important come first.
func (l *Ledger) Probes(recent int64) []Probe {
	var all []Probe
	add := func(kind, text, line string, seq int64) {
		if text != "" {
			all = append(all, Probe{kind, text, line, seq})
		}
	}
	for _, s := range l.open() {
		add(PlanItem, s.Step, s.line(), l.Plan.Seq)
	}
	for _, a := range l.Failing.newest() {
		add(UnresolvedError, a.What, a.line(), a.Failed)
	}
	for _, s := range l.Constraints.newest() {
		add(Constraint, s.Text, s.line(), s.Seq)
	}
	for _, f := range l.Changed.newest() {
		add(ChangedFile, f.Path, f.line(), f.Changed)
	}
	for _, v := range l.Values.newest() {
		if v.Used >= recent {
			add(UsedValue, v.key(), v.line(), v.Used)
		}
	}
	return all
}

// In reports whether the probe's text is visible in text: as it is, but for white
// space, and not as a part of a longer word or path.
func (p Probe) In(text string) bool { return len(Missing([]Probe{p}, text)) == 0 }

// String shows the probe for a log.
func (p Probe) String() string { return fmt.Sprintf("%s (#%d): %s", p.Kind, p.Seq, p.Text) }
