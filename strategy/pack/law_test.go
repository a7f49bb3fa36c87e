package pack

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/turn"
	"pgregory.net/rapid"
)

// TestLaws plays threads at random, with steers, interrupts, refusals and
// restarts, and checks what must always hold: requests grow within a window and
// can be rebuilt, calls and outputs pair, F never decreases, the newest request is
// seen, nothing the user said leaves without a limit record, and a strategy that
// has read the log's tail knows what the one that wrote it does.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		window := rapid.SampledFrom([]int{0, 1_000_000, 20_000, 6_000}).Draw(rt, "window")
		o := Options{Limits: limits(rt, "recent-turns-full", rapid.IntRange(0, 4).Draw(rt, "whole"))}
		th := begun(rt, o, window)
		f := 0
		for range rapid.IntRange(5, 100).Draw(rt, "steps") {
			refusals := th.play(rt)
			v := longrein.View{Entries: th.entries(), Fresh: 1, Idle: !th.m.Running()}
			if now := th.s.folded(v); th.m.State().Window.N > 0 && now < f {
				rt.Fatalf("F went from %d to %d", f, now)
			} else if f = max(f, now); window >= 1_000_000 && !refusals {
				th.checkWhole(rt, f)
			}
		}
		th.settle(rt)
		th.verify()
		th.checkWindows(rt)
	})
}

// checkWindows fails when a window begins without the newest thing that the user
// said, or one that lacks a message of the window before is followed by no limit
// record.
func (th *thread) checkWindows(rt *rapid.T) {
	newest, shown, told := int64(0), map[int64]bool{}, true
	for _, r := range th.log {
		switch b := r.Body.(type) {
		case longrein.Appended:
			if b.Input != 0 {
				newest = r.Seq
				shown[r.Seq] = true
			}
		case longrein.Window:
			if !told {
				rt.Fatalf("window %d lacks messages of the one before, and no limit record says so", b.N-1)
			}
			now := map[int64]bool{}
			for _, e := range b.Head {
				if m, ok := e.Item.(longrein.Message); ok && m.Role == longrein.RoleUser {
					now[e.Seq] = true
				}
			}
			if newest != 0 && !now[newest] && b.Running {
				rt.Fatalf("window %d (%s) begins without the newest message, #%d", b.N, b.Why, newest)
			}
			told = len(now) == len(shown)
			shown = now
		case longrein.LimitHit:
			told = true
		}
	}
	if !told {
		rt.Fatalf("the last window lacks messages of the one before, and no limit record says so")
	}
}

// checkWhole fails when too many or too few turns are whole where only turns
// count.
func (th *thread) checkWhole(rt *rapid.T, f int) {
	if !th.m.Running() || len(th.asks) == 0 || th.renewed {
		return
	}
	past := th.past() - 1
	least, most := th.s.turnsWhole(), th.s.turnsWhole()+th.s.slack()
	if whole := past - f; f > 0 && (whole < least || whole > most) {
		rt.Fatalf("%d of %d turns are whole, want %d to %d", whole, past, least, most)
	}
}

// play does one thing, and reports whether a provider has ever refused a context.
func (th *thread) play(rt *rapid.T) bool {
	what := rapid.IntRange(0, 12).Draw(rt, "what")
	switch {
	case what == 0:
		th.tell(turn.Steer{Text: fmt.Sprintf("request %d", len(th.log))})
	case what == 1 && len(th.asks) > 0:
		th.refused()
		th.refusals = true
	case what == 2 && len(th.runs) == 0:
		th.restart()
	case what == 3:
		th.tell(turn.Interrupt{})
		for len(th.asks) > 0 {
			th.fails(longrein.ErrNetwork)
		}
	case what == 4 && rapid.IntRange(0, 3).Draw(rt, "really") == 0:
		th.tell(turn.Renew{})
		th.renewed = true
	case len(th.asks) == 0:
		th.tell(turn.Submit{Text: fmt.Sprintf("request %d", len(th.log))})
	case what < 9:
		th.looks(rapid.SampledFrom([]int{10, 1_000, 9_000}).Draw(rt, "bytes"))
	default:
		th.reply(longrein.StopEnd, say(strings.Repeat("done ", rapid.IntRange(0, 900).Draw(rt, "words"))))
	}
	return th.refusals
}

// settle lets the turn come to its end.
func (th *thread) settle(rt *rapid.T) {
	for i := 0; th.m.Running(); i++ {
		if i > 100 {
			rt.Fatalf("the turn does not come to an end")
		}
		if len(th.asks) == 0 {
			th.tell(turn.Resume{})
			continue
		}
		th.reply(longrein.StopEnd, say("done"))
	}
}

// TestTwoThirdsOfTheTurnsKeepThePrefix measures what the slack is for: once
// turns are folded, two of three turns continue the request before byte for byte.
func TestTwoThirdsOfTheTurnsKeepThePrefix(t *testing.T) {
	th := begun(t, Options{}, 1_000_000)
	th.turns(9)
	kept, last := 0, []byte(nil)
	for range 30 {
		th.tell(turn.Submit{Text: fmt.Sprintf("request %d", th.past()+1)})
		body := th.asks[0].Request.Body
		if last != nil && bytes.HasPrefix(body, bytes.TrimSuffix(last, []byte("]}"))) {
			kept++
		}
		last = bytes.Clone(body)
		th.reply(longrein.StopEnd, say(fmt.Sprintf("answer %d", th.past())))
	}
	if kept != 19 && kept != 20 {
		t.Errorf("%d of 29 turns kept the prefix, want two thirds", kept)
	}
}

// FuzzNote checks that whatever a log holds is borne, and that what is kept reads
// as it was written.
func FuzzNote(f *testing.F) {
	f.Add("window", []byte(`{"n":2,"head":[{"seq":3,"item":{"kind":"message","role":"user","text":"x"}}],"kept":{"turns":[{"n":-3,"seq":9}]},"turns":1}`))
	f.Add("window", []byte(`{"n":2,"kept":{"turns":[{"n":1,"seq":2},{"n":4611686018427387904,"seq":9}]}}`))
	f.Add("item", []byte(`{"item":{"kind":"tool_call","id":"a","name":"apply_patch","args":"{\"patch\":\"*** Begin Patch\"}"},"step":1}`))
	f.Add("turn", []byte(`{"n":1,"state":"started"}`))
	f.Fuzz(func(t *testing.T, name string, payload []byte) {
		body, err := longrein.UnmarshalBody(name, payload)
		if err != nil {
			return
		}
		s := New(Options{})
		for seq, b := range []longrein.Body{longrein.Thread{ID: "t"}, longrein.Turn{N: 1, State: longrein.TurnStarted}, body, body, longrein.Turn{N: 1, State: longrein.TurnEnded}} {
			s.Note(longrein.Record{Seq: int64(seq + 1), Body: b})
		}
		entries := []longrein.Entry{{Seq: 3, Item: longrein.Message{Role: longrein.RoleUser, Text: "x"}}}
		if w, ok := body.(longrein.Window); ok {
			entries = append(w.Head, entries...)
		}
		size := func(e longrein.Entry) int { return len(ledger.Shown([]longrein.Entry{e})) }
		s.Decide(longrein.View{Surveyed: true, Refused: true, Tokens: 500, Entries: entries, Size: size})
		again := New(Options{})
		kept := s.Keep()
		again.Note(longrein.Record{Seq: 9, Body: longrein.Window{N: 3, Kept: kept}})
		s.Note(longrein.Record{Seq: 9, Body: longrein.Window{N: 3, Kept: kept}})
		if a, b := s.Keep(), again.Keep(); !bytes.Equal(a, b) {
			t.Fatalf("kept\n%s\nread\n%s", a, b)
		}
	})
}
