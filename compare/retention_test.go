package compare

import (
	"fmt"
	"slices"
	"testing"

	"github.com/longrein/longrein"
)

func TestWhatATokenIs(t *testing.T) {
	for text, want := range map[string]Kind{
		"src/a.go": Paths, "main.go": Paths, "/usr/local/bin": Paths, "README.md": Paths, "./src/y": Paths,
		"8080": Numbers, "3.1415": Numbers, "10.0.0.1": Numbers, "12": none, "500": none,
		"handleRequest": Identifiers, "max_tokens": Identifiers, "INV-2041": Identifiers, "a1b2c3d": Identifiers, "TestFoo": Identifiers,
		"hello": none, "Hello": none, "fmt.Println": none, "well-known": none, "//": none, "---": none,
	} {
		got := none
		for tok := range tokens(text, false) {
			got = tok.kind()
		}
		if got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
	}
}

func TestEscapesPartTokensInJSON(t *testing.T) {
	var got []string
	for tok := range tokens(`{"text":"one\nport_8080\tend \"quoted_x\""}`, true) {
		got = append(got, tok.text)
	}
	if want := []string{"text", "one", "port_8080", "end", "quoted_x"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// far is a session in which the last step uses what only the first steps showed.
func far() *script {
	s := newScript()
	s.ask("Move the settings of the payment service into environment variables. Write to deploy/notes.txt.")
	s.step("", [2]string{"cat conf", "listen_port = 48213\nowner: team_alpha_7\nerror: cannot open socket_fd_91"})
	for n := range 40 {
		s.step("", [2]string{fmt.Sprintf("cat f%d", n), source(n, 2_000)})
	}
	s.end("The settings of the payment service went to environment variables; port 48213 of team_alpha_7 had trouble with socket_fd_91, see deploy/notes.txt.")
	return s
}

func TestUsesOfWhatIsLongAgoCount(t *testing.T) {
	s := far().session(t)
	kinds := map[string]int{}
	for _, i := range s.marks[len(s.marks)-1].uses {
		kinds[s.words.kinds[i].String()]++
	}
	for kind, want := range map[string]int{"instructions": 1, "paths": 1, "identifiers": 1, "numbers": 1, "errors": 1} {
		if kinds[kind] != want {
			t.Errorf("%d %s used, want %d", kinds[kind], kind, want)
		}
	}
	for _, m := range s.marks[:len(s.marks)-1] {
		if len(m.uses) > 0 {
			t.Errorf("a step used %d values before", len(m.uses))
		}
	}
}

func TestWhatIsVisibleVerbatimInNotesByNameOrNotAtAll(t *testing.T) {
	s := far().session(t)
	all := s.marks[len(s.marks)-1].uses
	item := func(seq int64, it longrein.Item) longrein.Entry { return longrein.Entry{Seq: seq, Item: it} }
	see := func(entries ...longrein.Entry) Retained {
		x := newSight(s.words)
		x.note(longrein.Record{Seq: 4, Body: longrein.Appended{Entry: item(4, longrein.ToolOutput{Text: "listen_port = 48213"})}})
		x.note(longrein.Record{Seq: 5, Body: longrein.Notes{Changed: []longrein.Document{{Name: "topics/a.md", Text: "team_alpha_7"}}}})
		for _, e := range entries {
			x.see(e, false)
		}
		x.use(all)
		r := Result{Retention: x.retained()}
		return r.All()
	}
	for name, c := range map[string]struct {
		entries []longrein.Entry
		want    Retained
	}{
		"nothing but a document's name": {nil, Retained{Reference: 1, Lost: 4}},
		"the task": {
			[]longrein.Entry{item(3, longrein.Message{Role: longrein.RoleUser, Text: s.Turns[0].Input})},
			Retained{Verbatim: 2, Reference: 1, Lost: 2},
		},
		"a summary of the task and a value": {
			[]longrein.Entry{item(0, longrein.Fragment{
				Tag:  longrein.TagNotes,
				Text: "Move settings of payment service to environment variables; 48213",
			})},
			Retained{Summary: 2, Reference: 1, Lost: 2},
		},
		"an output that was cut": {
			[]longrein.Entry{item(4, longrein.ToolOutput{Text: "[left out: 20 bytes]"})},
			Retained{Reference: 2, Lost: 3},
		},
		"a pinned item": {
			[]longrein.Entry{item(0, longrein.Fragment{Tag: longrein.TagPinned, Text: "socket_fd_91"})},
			Retained{Verbatim: 1, Reference: 1, Lost: 3},
		},
	} {
		c.want.Kind, c.want.Uses = "all", 5
		if got := see(c.entries...); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestTheWatchIsShownTheUses(t *testing.T) {
	sums := map[How]int{}
	r, err := Replay(t.Context(), long(120, 4_000).session(t), Options{
		Strategy: strategies["recent"](), Profile: profile(t, "openai"), Window: 30_000,
		Watch: func(m Moment) {
			for _, u := range m.Uses {
				sums[u.How]++
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	all := r.All()
	want := map[How]int{Verbatim: all.Verbatim, InSummary: all.Summary, ByReference: all.Reference, NotAtAll: all.Lost}
	for how, n := range want {
		if sums[how] != n {
			t.Errorf("how %d: shown %d, counted %d", how, sums[how], n)
		}
	}
	if all.Lost == 0 {
		t.Error("nothing was lost, so the test shows little")
	}
}
