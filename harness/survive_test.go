package harness

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/strategy/background"
	"github.com/longrein/longrein/strategy/compact"
	"github.com/longrein/longrein/strategy/pack"
	"github.com/longrein/longrein/strategy/recent"
	"github.com/longrein/longrein/turn"
	"pgregory.net/rapid"
)

// stage is a machine whose effects a test answers, with its log.
type stage struct {
	t       interface{ Fatalf(string, ...any) }
	new     func() longrein.Strategy
	m       *turn.Machine
	log     []longrein.Record
	now     time.Time
	asks    []turn.Ask
	survey  bool // is waited for
	surveys turn.Surveyed
}

func staged(t interface{ Fatalf(string, ...any) }, window int, strategy func() longrein.Strategy) *stage {
	s := &stage{t: t, new: strategy, now: time.UnixMilli(1_800_000_000_000).UTC(), surveys: turn.Surveyed{
		Entries: []longrein.Entry{{Item: longrein.NewFragment(longrein.TagEnvironment, "cwd: /src")}}, Todo: "- [ ] the rest",
	}}
	s.m = turn.New(turn.Options{Strategy: strategy()})
	s.take(s.m.Begin(s.now, longrein.Thread{ID: "t", Base: "Be good.", Format: longrein.LogFormat}, longrein.Settings{
		Provider: "sim", Model: "sim:test", Wire: longrein.WireResponses, ContextWindow: window,
		Tools: []longrein.ToolSpec{{Name: "look", Schema: []byte(`{"type":"object"}`), ReadOnly: true}},
	}))
	return s
}

func (s *stage) tell(msg turn.Message) {
	s.now = s.now.Add(time.Second)
	s.take(s.m.Handle(s.now, msg))
}

func (s *stage) take(out turn.Out) {
	s.log = append(s.log, out.Records...)
	for _, e := range out.Effects {
		switch e := e.(type) {
		case turn.Ask:
			s.asks = append(s.asks, e)
		case turn.Survey:
			if e.Window {
				s.survey = true
				continue
			}
			s.tell(turn.Surveyed{})
		case turn.Run:
			s.tell(turn.ToolDone{Result: longrein.ToolResult{Output: longrein.ToolOutput{
				CallID: e.Call.ID, Status: longrein.OutputOK, Text: strings.Repeat("a line of a file\n", int(e.Call.ID[0])),
			}}})
		}
	}
}

// surveyed answers the survey that is waited for, if one is.
func (s *stage) surveyed() (waited bool) {
	waited, s.survey = s.survey, false
	if waited {
		s.tell(s.surveys)
	}
	return waited
}

func (s *stage) answer(err error, items ...longrein.Item) {
	ask := s.asks[0]
	s.asks = nil
	s.tell(turn.Response{Step: ask.Step, Items: items, Err: err, Done: longrein.Finished{Stop: longrein.StopEnd}})
}

// foresee is the outlook at this moment.
func (s *stage) foresee() Outlook {
	f := foresight{
		records:  s.log,
		strategy: func() (longrein.Strategy, error) { return s.new(), nil },
		survey:   func(longrein.Strategy) turn.Surveyed { return s.surveys },
	}
	o, err := f.look()
	if err != nil {
		s.t.Fatalf("foresee: %v", err)
	}
	return o
}

// play does one thing at random.
func (s *stage) play(rt *rapid.T, refusals, renewals bool) {
	switch what := rapid.IntRange(0, 9).Draw(rt, "what"); {
	case len(s.asks) == 0 && what == 0 && renewals:
		s.tell(turn.Renew{})
	case len(s.asks) == 0:
		s.tell(turn.Submit{Text: fmt.Sprintf("request %d %s", len(s.log), strings.Repeat("please ", what*10))})
	case what == 0 && refusals:
		s.answer(&longrein.ModelError{Kind: longrein.ErrTooLong, Text: "too long"})
	case what < 3:
		s.answer(nil, longrein.Message{Role: longrein.RoleAssistant, Text: strings.Repeat("done ", what*50)})
	default:
		id := string(rune('0' + what*5))
		s.answer(nil, longrein.ToolCall{ID: fmt.Sprint(id, len(s.log)), Name: "look", Args: "{}"})
	}
}

// TestTheWindowThatIsForeseenBegins plays threads at random, and whenever a strategy
// of rules alone wants a window, foresees it from the log first: the one that then
// begins must have the same head, and have cut the same.
func TestTheWindowThatIsForeseenBegins(t *testing.T) {
	for name, c := range map[string]struct {
		window             int
		refusals, renewals bool
		strategy           func() longrein.Strategy
		foreseen           string // begins of why
	}{
		"recent, when full":        {4_000, false, false, func() longrein.Strategy { return recent.Strategy{} }, "the window is full"},
		"recent, when refused":     {0, true, false, func() longrein.Strategy { return recent.Strategy{} }, "the provider refused"},
		"pack, when full or asked": {6_000, false, true, func() longrein.Strategy { return pack.New(pack.Options{}) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			compared := 0
			for round := 0; compared < 20 && round < 10; round++ { // few draws can have few windows
				rapid.Check(t, func(rt *rapid.T) {
					s := staged(rt, c.window, c.strategy)
					for range rapid.IntRange(5, 60).Draw(rt, "steps") {
						s.play(rt, c.refusals, c.renewals)
						for s.survey {
							compared += s.compare(rt, c.foreseen)
						}
					}
				})
			}
			if compared < 20 {
				t.Errorf("only %d windows were compared", compared)
			}
		})
	}
}

// compare lets the window begin that is due, if it is one of those that can be
// foreseen, and counts it.
func (s *stage) compare(rt *rapid.T, why string) int {
	o := s.foresee()
	from := len(s.log)
	s.surveyed()
	began := s.log[from:]
	for i, r := range began {
		w, ok := r.Body.(longrein.Window)
		if !ok || w.N == 1 || strings.HasPrefix(w.Why, "more than") || !strings.HasPrefix(w.Why, why) {
			continue
		}
		if diff := cmp.Diff(w.Head, o.Window.Head); diff != "" || w.Fresh != o.Window.Fresh {
			rt.Fatalf("window %d (%s) differs from the one foreseen (%s):\n%s", w.N, w.Why, o.Window.Why, diff)
		}
		if diff := cmp.Diff(hits(began[i:]), o.Cuts); diff != "" {
			rt.Fatalf("window %d cut otherwise than foreseen:\n%s", w.N, diff)
		}
		return 1
	}
	return 0
}

func hits(records []longrein.Record) (out []longrein.LimitHit) {
	for _, r := range records {
		if h, ok := r.Body.(longrein.LimitHit); ok {
			out = append(out, h)
		}
	}
	return out
}

// worked is a thread in the middle of a turn of so many steps.
func worked(t *testing.T, steps int, strategy func() longrein.Strategy) *stage {
	s := staged(t, 40_000, strategy)
	s.tell(turn.Submit{Text: "Look at all of it."})
	s.surveyed()
	for i := range steps {
		s.answer(nil, longrein.ToolCall{ID: fmt.Sprint("c", i), Name: "look", Args: "{}"})
	}
	return s
}

func TestAWindowThatWaitsForASummaryIsForeseenWithoutIt(t *testing.T) {
	for name, c := range map[string]struct {
		strategy func() longrein.Strategy
		role     longrein.ForkRole
		tag      longrein.Tag // that its head has
	}{
		"background": {func() longrein.Strategy { return background.New(background.Options{}) }, longrein.RoleSummarizer, longrein.TagCarryOver},
		"compact":    {func() longrein.Strategy { return compact.New(compact.Options{}) }, longrein.RoleCompactor, longrein.TagCompacted},
	} {
		t.Run(name, func(t *testing.T) {
			s := worked(t, 12, c.strategy)
			records := len(s.log)
			o := s.foresee()
			if len(s.log) != records {
				t.Error("foreseeing recorded something")
			}
			if o.Window.N != 2 || !o.Summary || o.Forced || len(o.Asked) != 1 || o.Asked[0] != c.role {
				t.Fatalf("window %d, forks %v, forced %v", o.Window.N, o.Asked, o.Forced)
			}
			var words, work, made int
			for _, e := range o.Window.Head {
				switch it := e.Item.(type) {
				case longrein.Message:
					words++
				case longrein.ToolOutput:
					work++
				case longrein.Fragment:
					if it.Tag == c.tag {
						made++
					}
				}
			}
			if words != 1 || work != 0 || made != 1 {
				t.Errorf("the head has %d messages, %d outputs, %d of %s:\n%+v", words, work, made, c.tag, o.Window.Head)
			}
		})
	}
}

func TestAStrategyThatSeesNoNeedIsAskedAsIfTheContextWereFull(t *testing.T) {
	s := worked(t, 12, func() longrein.Strategy { return recent.Strategy{} })
	o := s.foresee()
	if o.Window.N != 2 || !o.Forced {
		t.Fatalf("window %d, forced %v", o.Window.N, o.Forced)
	}
	if len(o.Cuts) == 0 || o.Cuts[0].Name != limit.CarriedShare.Name {
		t.Errorf("it cuts %+v", o.Cuts)
	}
}

func TestCallsUnderWayDoNotKeepAWindowFromBeingForeseen(t *testing.T) {
	s := worked(t, 4, func() longrein.Strategy { return recent.Strategy{} })
	for i, r := range s.log {
		if run, ok := r.Body.(longrein.ToolRun); ok && run.State == longrein.ToolStarted && i > len(s.log)/2 {
			s.log = s.log[:i+1]
			break
		}
	}
	if o := s.foresee(); o.Window.N != 2 {
		t.Errorf("no window is foreseen while a call runs: %+v", o)
	}
}

func TestAnEmptyLogHasNoNextWindow(t *testing.T) {
	s := staged(t, 4_000, func() longrein.Strategy { return recent.Strategy{} })
	if o := s.foresee(); o.Window.N != 0 {
		t.Errorf("window %d is foreseen", o.Window.N)
	}
}
