package turn

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

func skillText(text string) longrein.Entry {
	return longrein.Entry{Item: longrein.NewFragment(longrein.TagSkill, text)}
}

// spoken lists what the window shows after the initial context, one word each.
func (w *world) spoken() string {
	var out []string
	for _, e := range w.m.State().Entries()[w.m.State().Window.Fresh:] {
		switch it := e.Item.(type) {
		case longrein.Message:
			out = append(out, it.Text)
		case longrein.Fragment:
			out = append(out, "<"+string(it.Tag)+" "+it.Text+">")
		}
	}
	return strings.Join(out, " ")
}

func TestATurnIsToldWhatHasChangedBeforeItsInputAndSkillsAfterIt(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopEnd, say("1"))
	var asked Survey
	w.glance = func(s Survey) Surveyed {
		asked = s
		return Surveyed{
			Changes: []longrein.Entry{{Item: longrein.NewFragment(longrein.TagEnvironment, "date: 2")}},
			Skills:  []longrein.Entry{skillText("fmt")},
		}
	}
	w.tell(Submit{"use @fmt"})
	if got, want := w.spoken(), "one 1 <environment date: 2> use @fmt <skill fmt>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !slices.Equal(asked.Inputs, []string{"use @fmt"}) || len(asked.Seen) != 1 {
		t.Errorf("the survey is told %+v", asked)
	}
	w.tell(Steer{"and @fmt again"})
	w.reply(longrein.StopTools, toolCall("a", "look"))
	w.glance = func(s Survey) Surveyed {
		asked = s
		return Surveyed{Skills: []longrein.Entry{skillText("fmt"), skillText("vet")}}
	}
	w.finish(0, longrein.OutputOK, "ok")
	if got, want := w.spoken(), "one 1 <environment date: 2> use @fmt <skill fmt> and @fmt again <skill vet>"; got != want {
		t.Errorf("got %q, want %q: a skill that is there is not shown twice", got, want)
	}
	if len(asked.Seen) != 3 {
		t.Errorf("the window shows %d fragments of the outside, want 3", len(asked.Seen))
	}
	w.verify()
	w.checkLoaded()
}

func TestTheFirstInputsSkillsAreShownInTheFirstWindow(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"use @fmt"})
	w.surveys--
	w.tell(Surveyed{Entries: []longrein.Entry{{Item: longrein.NewFragment(longrein.TagEnvironment, "date: 1")}}, Skills: []longrein.Entry{skillText("fmt")}})
	if got, want := w.spoken(), "use @fmt <skill fmt>"; got != want || len(w.asks) != 1 {
		t.Errorf("%d requests, got %q, want %q", len(w.asks), got, want)
	}
}

func TestWhatIsCutOfTheOutsideIsToldInEveryTurnThatCutsIt(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopEnd, say("1"))
	hit := longrein.LimitHit{Name: "agents-md", What: "AGENTS.md", Cut: 7}
	w.glance = func(Survey) Surveyed {
		return Surveyed{Hits: []longrein.LimitHit{hit}, Warnings: []longrein.Warning{{Text: "no UTF-8"}}}
	}
	w.tell(Submit{"two"})
	said := w.count(func(b longrein.Body) bool {
		return b == longrein.Body(hit) || b == longrein.Body(longrein.Warning{Text: "no UTF-8"})
	})
	if said != 2 {
		t.Errorf("%d of a cut and a warning are recorded", said)
	}
}

func TestBetweenStepsNothingIsLookedAt(t *testing.T) {
	w := newWorld(t, Options{})
	w.glance = func(Survey) Surveyed { t.Error("looked"); return Surveyed{} }
	w.tell(Submit{"one"})
	w.survey()
	for range 3 {
		w.reply(longrein.StopTools, toolCall("", "look"))
		w.finish(0, longrein.OutputOK, "ok")
	}
	if len(w.asks) != 1 {
		t.Errorf("%d requests are out", len(w.asks))
	}
}

// A window's initial context says how things are. What told of changes in the window
// before it would be applied to that once more.
func TestANewWindowCarriesNoDifferences(t *testing.T) {
	texts := []longrein.Entry{
		{Item: longrein.NewFragment(longrein.TagPermissions, "sandbox: full")},
		{Item: longrein.NewFragment(longrein.TagEnvironment, "date: 2")},
		{Item: longrein.NewFragment(longrein.TagInstructions, "--- AGENTS.md (after line 1) ---\nx")},
		{Item: longrein.NewFragment(longrein.TagSkills, "No longer there:\n- a (file: /a)")},
	}
	for name, c := range map[string]struct{ model, why string }{
		"after other settings":                       {"another", "settings changed"},
		"of a strategy that carries everything over": {"sim:test", "x"},
	} {
		all := &carrier{}
		w := newWorld(t, Options{Strategy: all})
		w.tell(Submit{"one"})
		w.survey()
		w.reply(longrein.StopEnd, say("1"))
		w.glance = func(Survey) Surveyed { return Surveyed{Changes: texts, Skills: []longrein.Entry{skillText("fmt")}} }
		w.tell(Submit{"@fmt"})
		w.reply(longrein.StopEnd, say("2"))
		set := w.m.State().Next
		set.Model = c.model
		w.tell(Change{set})
		all.due = c.why == "x"
		w.glance = func(Survey) Surveyed { return Surveyed{} }
		w.tell(Submit{"three"})
		w.survey()
		window := w.m.State().Window
		if got, want := w.spoken(), "one 1 @fmt <skill fmt> 2 three"; got != want || !strings.HasPrefix(window.Why, c.why) {
			t.Errorf("%s: window %d, %s, shows %q, want %q", name, window.N, window.Why, got, want)
		}
	}
}

// carrier takes everything along into a new window.
type carrier struct{ due bool }

func (*carrier) Name() string { return "carrier" }

func (c *carrier) Decide(v longrein.View) longrein.Move {
	if !c.due {
		return longrein.CarryOn{}
	}
	c.due = !v.Surveyed
	return longrein.NewWindow{Why: "x", Head: v.Entries[v.Fresh:], Told: true}
}

func TestALookThatFailsDoesNotStopTheTurn(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopEnd, say("1"))
	w.glance = func(Survey) Surveyed { return Surveyed{Err: errors.New("no such folder")} }
	w.tell(Submit{"two"})
	if len(w.asks) != 1 || w.spoken() != "one 1 two" {
		t.Errorf("%d requests, %q", len(w.asks), w.spoken())
	}
	if n := w.count(func(b longrein.Body) bool { _, ok := b.(longrein.Warning); return ok }); n != 1 {
		t.Errorf("%d warnings", n)
	}
}

func TestALookCanBeInterrupted(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopEnd, say("1"))
	w.glance = nil
	w.tell(Submit{"two"})
	w.tell(Interrupt{})
	w.survey()
	if !w.m.Resting() || w.m.ended != longrein.TurnInterrupted || len(w.m.pending) != 1 {
		t.Errorf("resting %v, ended %q, %d inputs wait", w.m.Resting(), w.m.ended, len(w.m.pending))
	}
	w.tell(Resume{})
	w.tell(Surveyed{})
	if !strings.HasSuffix(w.spoken(), "two") || len(w.asks) != 1 {
		t.Errorf("got %q, %d requests", w.spoken(), len(w.asks))
	}
}

func TestOtherApprovalsNeedNoNewWindow(t *testing.T) {
	w := newWorld(t, Options{})
	w.tell(Submit{"one"})
	w.survey()
	w.reply(longrein.StopEnd, say("1"))
	set := w.m.State().Next
	set.Approval, set.Sandbox = "never", "full"
	w.tell(Change{set})
	w.tell(Submit{"two"})
	if n := w.m.State().Window.N; n != 1 || len(w.asks) != 1 {
		t.Errorf("window %d, %d requests", n, len(w.asks))
	}
}
