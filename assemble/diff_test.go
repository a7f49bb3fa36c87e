package assemble

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/longrein/longrein"
	"pgregory.net/rapid"
)

// copyOf folds a log anew.
func copyOf(t interface{ Fatal(...any) }, log []longrein.Record) *State {
	s := &State{}
	for _, r := range log {
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestAWindowThatGrewIsNoCacheBreak(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := opened(rt, rapid.SampledFrom([]longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages}).Draw(rt, "wire"))
		grown(rt, b)
		before := copyOf(rt, b.log)
		grown(rt, b)
		d, err := Compare(before, &b.State, nil)
		if err != nil {
			rt.Fatal(err)
		}
		if d.Break || d.Parting != nil || len(d.Removed)+len(d.Changed) > 0 {
			rt.Fatalf("a window that grew: %+v", d)
		}
		if d.Same != len(before.Entries()) || d.Same+len(d.Added) != len(b.Entries()) {
			rt.Fatalf("%d the same and %d added of %d and then %d", d.Same, len(d.Added), len(before.Entries()), len(b.Entries()))
		}
		tokens := d.From.Tokens
		for _, c := range d.Added {
			tokens += c.Tokens
		}
		if tokens != d.To.Tokens {
			rt.Fatalf("%d tokens and what was added make %d, not %d", d.From.Tokens, tokens, d.To.Tokens)
		}
	})
}

// seen is a change in a line.
func seen(changes []Change) (out []string) {
	for _, c := range changes {
		out = append(out, c.Kind+": "+Text(c.Entry))
	}
	return out
}

func TestWhatANewWindowChanges(t *testing.T) {
	b := opened(t, longrein.WireResponses)
	b.step(t, "a long output")
	before := copyOf(t, b.log)
	kept := b.Entries()[1]
	output := b.Entries()[3]
	shorter := output
	shorter.Item = longrein.ToolOutput{CallID: "c4", Text: "a long"}
	b.add(t, longrein.Window{N: 2, Why: "full", Settings: settingsFor(longrein.WireResponses), Fresh: 1, Head: []longrein.Entry{
		{Item: longrein.Fragment{Tag: longrein.TagEnvironment, Role: longrein.RoleUser, Text: "cwd: /src"}},
		kept, shorter,
		{Item: longrein.NewFragment(longrein.TagNotes, "what is known")},
	}})
	d, err := Compare(before, &b.State, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want []string
	}{
		{"removed", seen(d.Removed), []string{"tool call: cat {\"f\":1}"}},
		{"added", seen(d.Added), []string{"notes: <notes>\nwhat is known\n</notes>"}},
		{"changed", seen(d.Changed), []string{"environment: <environment>\ncwd: /src\n</environment>", "tool output: a long"}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s:\n%s", c.what, diff)
		}
	}
	want := &Parting{What: "item", Item: 1, Kind: "environment", Instead: "environment"}
	if diff := cmp.Diff(want, d.Parting); !d.Break || diff != "" {
		t.Errorf("break %v, parting:\n%s", d.Break, diff)
	}
}

// What a head made is in the place of what another head made; what came later is not.
func TestAnItemOfTheWorkReplacesNothingOfAHead(t *testing.T) {
	b := opened(t, longrein.WireResponses)
	before := copyOf(t, b.log)
	b.add(t, longrein.Window{N: 2, Why: "full", Settings: settingsFor(longrein.WireResponses)})
	b.add(t, longrein.Appended{Entry: longrein.Entry{Item: longrein.NewFragment(longrein.TagEnvironment, "cwd: /src")}})
	d, err := Compare(before, &b.State, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Changed) > 0 || len(d.Added) != 1 || len(d.Removed) != len(before.Entries()) {
		t.Errorf("changed %v, added %v, removed %v", seen(d.Changed), seen(d.Added), seen(d.Removed))
	}
}

func TestWherePrefixesPartBeforeTheItems(t *testing.T) {
	for want, change := range map[string]func(*longrein.Settings){
		KindBase:   func(s *longrein.Settings) { s.Base = "Be better." },
		KindTools:  func(s *longrein.Settings) { s.Tools = nil },
		"settings": func(s *longrein.Settings) { s.Model = "n" },
	} {
		b := opened(t, longrein.WireMessages)
		before := copyOf(t, b.log)
		set := settingsFor(longrein.WireMessages)
		change(&set)
		b.add(t, longrein.Window{N: 2, Why: "settings changed", Settings: set, Fresh: 1, Head: before.Entries()})
		d, err := Compare(before, &b.State, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.Parting == nil || d.Parting.What != want {
			t.Errorf("they part at %+v, want %s", d.Parting, want)
		}
	}
}
