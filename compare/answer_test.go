package compare

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/strategy/background"
	"github.com/longrein/longrein/strategy/compact"
)

func TestADeciderByRulesGoesByTheirShare(t *testing.T) {
	for name, c := range map[string]struct {
		stale int
		want  bool
	}{
		"half": {50, true}, "less": {49, false}, "all": {100, true},
	} {
		role := memory.DeciderRole(memory.DeciderBrief{Stale: c.stale, Total: 100, Window: 1_000})
		r, err := Offline{}.Answer(t.Context(), Asking{Role: longrein.RoleDecider, Own: []longrein.Entry{{Item: role}}})
		if err != nil {
			t.Fatal(err)
		}
		said := r.Items[0].(longrein.Message).Text
		if got := memory.ReadVerdict(said); got.Reset != c.want || got.Problem != "" || r.By != Extractive {
			t.Errorf("%s: %q of %s is read as %+v", name, said, r.By, got)
		}
	}
}

func TestNotesByRulesAreOnePatchThatIsAccepted(t *testing.T) {
	var notes memory.Notes
	for n := range 30 {
		a := Asking{Role: longrein.RoleSummarizer, Notes: notes, Own: []longrein.Entry{{}}, Shared: []longrein.Entry{
			{Seq: int64(10 * n), Item: longrein.Message{Role: longrein.RoleAssistant, Text: "The build is red.\x1b[2J It was slow. I try port 8123 next."}},
			{Seq: int64(10*n + 1), Item: longrein.ToolOutput{Text: strings.Repeat("nothing\n", 50) + "retries = 17\nerror: no such file\n" + source(n, 900)}},
		}, Boundary: int64(10*n - 1)}
		r, err := Offline{}.Answer(t.Context(), a)
		if err != nil || len(r.Items) != 2 || r.Done.Stop != longrein.StopTools {
			t.Fatalf("%d items, %s, %v", len(r.Items), r.Done.Stop, err)
		}
		draft := memory.NewDraft(notes, memory.DraftOptions{})
		if out := draft.Run(r.Items[1].(longrein.ToolCall)); out.Status != longrein.OutputOK {
			t.Fatal(out.Text)
		}
		if used := r.Done.Usage.Output; used > 400 {
			t.Errorf("notes of %d tokens a time", used)
		}
		notes = notes.With(longrein.Notes{Changed: draft.Changed()})
	}
	main := text(notes, longrein.MainDocument)
	for _, want := range []string{"- I try port 8123 next.", "retries = 17", "error: no such file"} {
		if !strings.Contains(main, want) {
			t.Errorf("MAIN.md lacks %q:\n%s", want, main)
		}
	}
	if strings.ContainsRune(main, 0x1b) {
		t.Error("MAIN.md has a control character")
	}
	if len(main) > 9_000 || len(text(notes, older)) > noteOlder {
		t.Errorf("MAIN.md has %d bytes, and the rest %d", len(main), len(text(notes, older)))
	}
}

// noted is a long session in which a model has noted something after some steps.
func noted(body longrein.Body) *script {
	s := long(200, 4_000)
	for i, r := range s.records {
		if a, ok := r.Body.(longrein.Answered); ok && a.Step > s.records[len(s.records)/20].Seq {
			s.records[i+1].Body = body // in place of an output
			break
		}
	}
	return s
}

func TestRecordedSummariesAreUsedWhereTheyFit(t *testing.T) {
	const fact = "the answer is zeta_4711"
	for name, c := range map[string]struct {
		body     longrein.Body
		strategy longrein.Strategy
	}{
		"notes": {
			longrein.Notes{By: "summarizer-1", Changed: []longrein.Document{{Name: longrein.MainDocument, Text: fact}}},
			background.New(background.Options{Folder: "/notes", Fixed: true}),
		},
		"a compaction": {longrein.Compaction{Status: longrein.CompactionCompleted, Summary: fact}, compact.New(compact.Options{})},
	} {
		seen := false
		r, err := Replay(t.Context(), noted(c.body).session(t), Options{
			Strategy: c.strategy, Profile: profile(t, "openai"), Window: 40_000,
			Watch: func(m Moment) {
				for _, e := range m.Entries {
					f, ok := e.Item.(longrein.Fragment)
					seen = seen || ok && m.Fork == "" && strings.Contains(f.Text, fact)
				}
			},
		})
		if err != nil || r.Failed != "" {
			t.Fatal(err, r.Failed)
		}
		if !seen || len(r.Answers) != 2 || r.Answers[1] != (Count{Recorded, 1}) {
			t.Errorf("%s: answers %v, seen: %v", name, r.Answers, seen)
		}
	}
}

// spoken is a model that says one thing, or fails.
type spoken struct {
	text string
	err  error
}

func (m spoken) Stream(context.Context, longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	return func(yield func(longrein.ModelEvent, error) bool) {
		if m.err != nil {
			yield(nil, m.err)
			return
		}
		_ = yield(longrein.ItemDone{Item: longrein.Message{Role: longrein.RoleAssistant, Text: "void"}}, nil) &&
			yield(longrein.Retrying{}, nil) &&
			yield(longrein.ItemDone{Item: longrein.Message{Role: longrein.RoleAssistant, Text: m.text}}, nil) &&
			yield(longrein.Finished{Usage: longrein.Usage{Output: 42}, Stop: longrein.StopEnd}, nil)
	}
}

func TestARealProviderCanAnswerForks(t *testing.T) {
	s := long(100, 4_000).session(t)
	o := Options{Strategy: compact.New(compact.Options{}), Profile: profile(t, "openai"), Window: 40_000, Answers: Provider{spoken{text: "All is well."}}}
	r, err := Replay(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Answers) != 1 || r.Answers[0].Name != Live || r.Failed != "" {
		t.Errorf("answers %v: %s", r.Answers, r.Failed)
	}
	o.Strategy = compact.New(compact.Options{})
	o.Answers = Provider{spoken{err: &longrein.ModelError{Kind: longrein.ErrAuth, Text: "no key"}}}
	r, err = Replay(t.Context(), s, o)
	if err != nil || !strings.Contains(r.Failed, "no key") {
		t.Errorf("%v, failed: %q; want the provider's reason", err, r.Failed)
	}
}

func TestAReplayEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	n := 0
	_, err := Replay(ctx, long(100, 100).session(t), Options{
		Strategy: strategies["recent"](), Profile: profile(t, "none"),
		Watch: func(Moment) {
			if n++; n == 10 {
				stop()
			}
		},
	})
	if !errors.Is(err, context.Canceled) || n > 11 {
		t.Errorf("%v after %d requests", err, n)
	}
}

func TestTheWorkerWaitsForACompactorAndNotForASummarizer(t *testing.T) {
	s := long(200, 4_000).session(t)
	p := profile(t, "openai")
	stall := map[string]time.Duration{}
	for _, name := range []string{"background", "compact", "recent"} {
		r, err := Replay(t.Context(), s, Options{Strategy: strategies[name](), Profile: p, Window: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		stall[name] = r.Stall
		var before time.Duration // the worker's requests
		for _, p := range r.Points {
			before += p.Stall
		}
		if before != r.Stall {
			t.Errorf("%s: waited %v, of which %v before a request", name, r.Stall, before)
		}
	}
	if stall["recent"] != 0 || stall["compact"] < time.Second || stall["background"] > stall["compact"]/2 {
		t.Errorf("waited %v", stall)
	}
}

// A compactor by rules reads its own summaries again and again.
func TestASummaryByRulesLeavesRoomInASmallWindow(t *testing.T) {
	introduced := 0
	r, err := Replay(t.Context(), long(300, 1_000).session(t), Options{
		Strategy: compact.New(compact.Options{}), Profile: profile(t, "openai"), Window: 4_000,
		Watch: func(m Moment) {
			for _, e := range m.Entries {
				if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == longrein.TagCompacted {
					introduced = max(introduced, strings.Count(f.Text, "Your context was full"))
				}
			}
		},
	})
	if err != nil || r.Failed != "" || r.Windows < 20 {
		t.Errorf("%d windows, %d of %d steps: %v %s", r.Windows, r.Steps, r.Recorded, err, r.Failed)
	}
	if introduced != 1 {
		t.Errorf("a summary is introduced %d times", introduced)
	}
}
