package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"pgregory.net/rapid"
)

// TestLaws replays sessions at random under every strategy. Within a window every
// request extends the one before; no call lacks its output and no output its call;
// what the user said goes only where a limit is recorded; and the same replay
// gives the same result.
func TestLaws(t *testing.T) {
	for name, make := range strategies {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				s := anySession(rt)
				o := Options{
					Profile: profile(rt, rapid.SampledFrom([]string{"openai", "anthropic", "deepseek", "none"}).Draw(rt, "profile")),
					Window:  rapid.IntRange(24_000, 60_000).Draw(rt, "window"),
				}
				if rapid.Bool().Draw(rt, "chat") {
					o.Profile.Wire = longrein.WireChat
				}
				l := laws{t: rt, forks: map[string][]byte{}}
				o.Strategy, o.Watch = make(), l.check
				first, err := Replay(t.Context(), s, o)
				if err != nil {
					rt.Fatal(err)
				}
				o.Strategy, o.Watch = make(), nil
				again, err := Replay(t.Context(), s, o)
				if err != nil {
					rt.Fatal(err)
				}
				checkSums(rt, first, l)
				a, _ := json.Marshal(first)
				b, _ := json.Marshal(again)
				if !bytes.Equal(a, b) {
					rt.Fatalf("the same replay differs:\n%s\n%s", a, b)
				}
			})
		})
	}
}

// anySession is a session of up to some hundred steps.
func anySession(rt *rapid.T) *Session {
	s := newScript()
	secret := 0
	for turn := range rapid.IntRange(1, 6).Draw(rt, "turns") {
		if rapid.IntRange(0, 4).Draw(rt, "away") == 0 {
			s.now = s.now.Add(20 * time.Minute)
		}
		s.ask(fmt.Sprintf("Request %d: %s", turn, strings.Repeat("keep the module small. ", rapid.IntRange(0, 40).Draw(rt, "words"))))
		for range rapid.IntRange(0, 15).Draw(rt, "steps") {
			var commands [][2]string
			for range rapid.IntRange(1, 3).Draw(rt, "calls") {
				secret++
				size := rapid.SampledFrom([]int{0, 40, 400, 3_000, 16_000}).Draw(rt, "size")
				commands = append(commands, [2]string{fmt.Sprintf("cat pkg/file_%d.go", secret), source(secret, max(size, 60))[:size]})
			}
			s.step(rapid.SampledFrom([]string{"", "I look.", "It failed before; port 10007 is next."}).Draw(rt, "said"), commands...)
			if rapid.IntRange(0, 9).Draw(rt, "steered") == 0 {
				s.steer(fmt.Sprintf("By the way, %d is the number.", 7_000+secret))
			}
		}
		switch rapid.IntRange(0, 5).Draw(rt, "end") {
		case 0:
			s.add(longrein.Turn{N: s.turns, State: longrein.TurnInterrupted})
		case 1: // the recording stops here
		default:
			s.end("That is done.")
		}
	}
	s.ask("One more.")
	s.end("Done.")
	return s.session(rt)
}

// laws are checked at every request.
type laws struct {
	t        *rapid.T
	last     []byte // the worker's last request, without marks
	window   int
	said     []string // user messages of the last request
	forks    map[string][]byte
	requests int
}

func (l *laws) check(m Moment) {
	checkPairs(l.t, m.Entries)
	if m.Refused {
		return // it is counted apart
	}
	body, marks := unmark(nil, m.Request.Body)
	if len(marks) > 4 {
		l.t.Fatalf("a request with %d cache marks", len(marks))
	}
	l.requests++
	if m.Fork != "" {
		l.grows("fork "+m.Fork, l.forks[m.Fork], body)
		l.forks[m.Fork] = body
		return
	}
	said := userTexts(m.Entries)
	if m.Point.Window == l.window {
		l.grows(fmt.Sprintf("window %d", l.window), l.last, body)
	} else {
		l.dropped(said, m)
	}
	l.last, l.window, l.said = body, m.Point.Window, said
}

func (l *laws) grows(what string, last, next []byte) {
	if begin := bytes.TrimSuffix(last, []byte("]}")); !bytes.HasPrefix(next, begin) {
		l.t.Fatalf("a request of %s does not begin with the one before:\n%s\n%s", what, last, next)
	}
}

// dropped fails when a window begins without something that the user said and no
// limit is recorded.
func (l *laws) dropped(said []string, m Moment) {
	have := map[string]bool{}
	for _, text := range said {
		have[text] = true
	}
	for _, text := range l.said {
		if have[text] {
			continue
		}
		cut := false
		for _, h := range m.Limits {
			cut = cut || h.Cut > 0
		}
		if !cut {
			l.t.Fatalf("window %d lacks %.60q, and no limit says so: %v", m.Point.Window, text, m.Limits)
		}
	}
}

func userTexts(entries []longrein.Entry) (texts []string) {
	for _, e := range entries {
		if m, ok := e.Item.(longrein.Message); ok && m.Role == longrein.RoleUser {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

func checkPairs(t *rapid.T, entries []longrein.Entry) {
	var open []string
	for _, e := range entries {
		switch it := e.Item.(type) {
		case longrein.ToolCall:
			open = append(open, it.ID)
		case longrein.ToolOutput:
			if len(open) == 0 || open[0] != it.CallID {
				t.Fatalf("output of %s where %v were open", it.CallID, open)
			}
			open = open[1:]
		default:
			if len(open) > 0 && !longrein.FromModel(it) {
				t.Fatalf("%s while %v have no output", longrein.Kind(it), open)
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("a request with calls that have no output: %v", open)
	}
}

// checkSums fails when a result's numbers do not fit each other.
func checkSums(t *rapid.T, r *Result, l laws) {
	if r.Failed != "" || r.Steps != r.Recorded || len(r.Points) != r.Requests.Worker {
		t.Fatalf("%d of %d steps, %d points of %d requests: %s", r.Steps, r.Recorded, len(r.Points), r.Requests.Worker, r.Failed)
	}
	if n := r.Requests.Worker + r.Requests.Forks; n != l.requests {
		t.Fatalf("%d requests counted, %d seen", n, l.requests)
	}
	if r.Usage.Cached+r.Uncached != r.Usage.Input || r.Usage.CacheWrite > r.Uncached || r.HitShare < 0 || r.HitShare > 1 {
		t.Fatalf("usage %+v, uncached %d, hits %v", r.Usage, r.Uncached, r.HitShare)
	}
	for _, k := range append(r.Retention, r.All()) {
		if k.Verbatim+k.Summary+k.Reference+k.Lost != k.Uses {
			t.Fatalf("the uses do not add up: %+v", k)
		}
	}
	cost := 0.0
	for _, p := range r.Points {
		if p.Cost < cost || p.Cached > p.Tokens || r.Window > 0 && p.Tokens > r.Window {
			t.Fatalf("point %+v after a cost of %v", p, cost)
		}
		cost = p.Cost
	}
}
