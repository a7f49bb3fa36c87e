package pack

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/turn"
)

func TestTheClosedFormIsTheStepRule(t *testing.T) {
	for _, n := range []int{1, 3, 6, 10, 15} {
		for _, slack := range []int{0, 1, 2, 4} {
			f := 0
			for past := range 201 {
				if past-f > n+slack {
					f = past - n
				}
				if got := frozen(past, n, slack); got != f {
					t.Fatalf("whole %d, slack %d, past %d: %d, want %d", n, slack, past, got, f)
				}
				if whole := past - f; f > 0 && (whole < n || whole > n+slack) {
					t.Fatalf("whole %d, slack %d, past %d: %d turns are whole", n, slack, past, whole)
				}
			}
		}
	}
}

// Slack spaces the changes of the prefix out, also where turns are dropped: the
// drop point moves with F alone.
func TestHowOftenThePrefixChanges(t *testing.T) {
	changes := func(slack, from, to int) (n int) {
		for past := from; past <= to; past++ {
			f, before := frozen(past, 6, slack), frozen(past-1, 6, slack)
			if f != before || dropped(f, 6, 40) != dropped(before, 6, 40) {
				n++
			}
		}
		return n
	}
	for _, tt := range []struct{ slack, from, to, want int }{
		{2, 10, 40, 10},
		{0, 10, 40, 31},
		{2, 42, 100, 20},
	} {
		if got := changes(tt.slack, tt.from, tt.to); got != tt.want {
			t.Errorf("slack %d, after %d to %d turns: %d changes, want %d", tt.slack, tt.from, tt.to, got, tt.want)
		}
	}
}

// The worked examples: what a thread shows while the turn after past turns runs.
func TestWhatIsShownOfHowManyTurns(t *testing.T) {
	for name, tt := range map[string]struct {
		set     []any
		past    int
		f, lo   int
		changed bool // the prefix, with this turn
	}{
		"1: the first request":                              {past: 0, changed: true},
		"2: one turn":                                       {past: 1},
		"3: six turns":                                      {past: 6},
		"4: eight turns, by the slack":                      {past: 8},
		"5: nine turns, the first summary":                  {past: 9, f: 3, changed: true},
		"6: ten turns, the frozen summary":                  {past: 10, f: 3},
		"7: eleven turns":                                   {past: 11, f: 3},
		"8: twelve turns, the summary grows":                {past: 12, f: 6, changed: true},
		"9: thirty turns":                                   {past: 30, f: 24, changed: true},
		"10: forty turns":                                   {past: 40, f: 33},
		"11: 41 turns, none is dropped before F moves":      {past: 41, f: 33},
		"12: 42 turns, two leave":                           {past: 42, f: 36, lo: 2, changed: true},
		"13: 44 turns, the same":                            {past: 44, f: 36, lo: 2},
		"table: 45 turns":                                   {past: 45, f: 39, lo: 5, changed: true},
		"14: a hundred turns":                               {past: 100, f: 93, lo: 59},
		"15: a setting of 0":                                {set: []any{"recent-turns-full", 0}, past: 9, f: 3, changed: true},
		"16: one whole turn, four turns":                    {set: []any{"recent-turns-full", 1}, past: 4, f: 3, changed: true},
		"16: one whole turn, six turns":                     {set: []any{"recent-turns-full", 1}, past: 6, f: 3},
		"16: one whole turn, seven turns":                   {set: []any{"recent-turns-full", 1}, past: 7, f: 6, changed: true},
		"17: ten whole turns, twelve turns":                 {set: []any{"recent-turns-full", 10}, past: 12},
		"17: ten whole turns, 13 turns":                     {set: []any{"recent-turns-full", 10}, past: 13, f: 3, changed: true},
		"18: fifty whole turns are taken as 37":             {set: []any{"recent-turns-full", 50}, past: 45, f: 6, lo: 3},
		"without slack every turn after the sixth is a new": {set: []any{"recent-turns-slack", 0}, past: 8, f: 2, changed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := begun(t, Options{Limits: limits(t, tt.set...)}, 1_000_000)
			th.turns(tt.past)
			before := th.m.State().Window.N
			th.tell(turn.Submit{Text: fmt.Sprintf("request %d", tt.past+1)})
			if changed := th.m.State().Window.N != before; changed != tt.changed {
				t.Errorf("the prefix changed: %v, want %v", changed, tt.changed)
			}
			var want []int
			for n := tt.f + 1; n <= tt.past+1; n++ {
				want = append(want, n)
			}
			if got := th.whole(); !slices.Equal(got, want) {
				t.Errorf("whole are %v, want %v", got, want)
			}
			checkSummary(t, th.fragment(longrein.TagSummary), tt.lo, tt.f)
			th.verify()
		})
	}
}

func checkSummary(t *testing.T, text string, lo, f int) {
	t.Helper()
	if f == 0 {
		if text != "" {
			t.Errorf("there is a summary, want none:\n%s", text)
		}
		return
	}
	p, ok := readFingerprint(text)
	if !ok || p.Lo != lo || p.F != f || p.Rules != rules {
		t.Errorf("the summary is of turns %d to %d, want %d to %d:\n%s", p.Lo+1, p.F, lo+1, f, text)
	}
	for n := 1; n <= f+1; n++ {
		in := strings.Contains(text+"\n", fmt.Sprintf("\n%d. Asked: request %d\n   Answer: answer %d\n", n, n, n))
		if in != (lo < n && n <= f) {
			t.Errorf("turn %d is in the summary: %v\n%s", n, in, text)
		}
	}
	if line := fmt.Sprintf("%d earlier turns are not shown; the first request was: request 1\n", lo); (lo > 0) != strings.Contains(text, line) {
		t.Errorf("want the line %q only where turns were dropped:\n%s", line, text)
	}
}

// Example 15: what is no more than 0 means the default, however it came there.
func TestAnUnusableNumberOfTurnsMeansTheDefault(t *testing.T) {
	for _, n := range []int64{0, -5} {
		if got := New(Options{Limits: limit.Set{limit.RecentTurns.Name: n}}).turnsWhole(); got != 6 {
			t.Errorf("%d means %d, want 6", n, got)
		}
	}
	if _, err := (limit.Set{}).With("recent-turns-full", -5); err == nil {
		t.Error("a setting of -5 is taken, want an error")
	}
}

// Example 18: it is said once that fewer turns are whole than was set.
func TestAClampedNumberIsToldOnce(t *testing.T) {
	th := begun(t, Options{Limits: limits(t, "recent-turns-full", 50)}, 1_000_000)
	th.turns(3)
	th.restart()
	th.turns(3)
	if got := th.hits(limit.TurnsConsidered); got != 1 {
		t.Errorf("told %d times, want once", got)
	}
}

// Example 19: windows only grow, so what is folded does not come back when more
// turns are to be whole; F waits until the new number is reached.
func TestANewNumberOfTurnsCountsFromTheNextFoldOn(t *testing.T) {
	th := begun(t, Options{}, 1_000_000)
	th.turns(13)
	th.o.Limits = limits(t, "recent-turns-full", 10)
	th.restart()
	var f []int
	for range 8 {
		th.turns(1)
		f = append(f, th.s.folded(longrein.View{Entries: th.entries(), Fresh: 1}))
	}
	if want := []int{6, 6, 6, 6, 6, 6, 9, 9}; !slices.Equal(f, want) {
		t.Errorf("after 13 turns more: F is %v, want %v", f, want)
	}
}

// Example 28: a steer belongs to the turn that runs.
func TestASteerBeginsNoTurn(t *testing.T) {
	th := begun(t, Options{}, 1_000_000)
	th.turns(2)
	th.tell(turn.Submit{Text: "request 3"})
	th.tell(turn.Steer{Text: "Only in /src."})
	th.looks(10)
	th.reply(longrein.StopEnd, say("answer 3"))
	th.turns(6)
	th.tell(turn.Submit{Text: "request 10"})
	if got := th.whole(); !slices.Equal(got, []int{4, 5, 6, 7, 8, 9, 10}) {
		t.Errorf("whole are %v, want 4 to 10", got)
	}
	if got := th.fragment(longrein.TagSummary); !strings.Contains(got, "3. Asked: request 3 / Only in /src.\n   Answer: answer 3") {
		t.Errorf("the steer is not with its turn:\n%s", got)
	}
}

// A turn that is begun again without a word of the user's is the same turn.
func TestATurnThatGoesOnIsOneTurn(t *testing.T) {
	th := begun(t, Options{}, 1_000_000)
	th.turns(1)
	th.tell(turn.Submit{Text: "request 2"})
	th.asks = nil
	th.tell(turn.Interrupt{})
	th.tell(turn.Response{Step: th.log[len(th.log)-1].Seq, Err: fmt.Errorf("cut")})
	th.restart()
	if got := th.past(); got != 2 {
		t.Fatalf("%d turns, want 2", got)
	}
	th.reply(longrein.StopEnd, say("answer 2"))
	th.turns(1)
	if got := th.past(); got != 3 {
		t.Errorf("%d turns, want 3", got)
	}
}
