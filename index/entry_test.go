package index

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/internal/testkit"
	"github.com/longrein/longrein/limit"
)

func TestFold(t *testing.T) {
	var e Entry
	for _, r := range testkit.Records(
		longrein.Thread{ID: "t", Cwd: "/src", Branch: "main", Model: "old"},
		longrein.Window{N: 1, Settings: longrein.Settings{Model: "new"}},
		longrein.Input{Text: "fix\tthe\n\x1b[31mtest"},
		longrein.Turn{N: 1, State: longrein.TurnStarted},
		longrein.Answered{Usage: longrein.Usage{Input: 10, Cached: 8, Output: 2, Reported: true}, Cost: 0.5},
		longrein.Answered{Usage: longrein.Usage{Input: 12, Cached: 10, Output: 1}, Cost: 0.25},
		longrein.Turn{N: 1, State: longrein.TurnEnded},
		longrein.Input{Text: "and now the other"},
		longrein.Renamed{Name: "flaky"},
		Archive(true),
	) {
		e = Fold(nil, e, r)
	}
	want := Entry{
		ID: "t", Cwd: "/src", Branch: "main", Model: "new", Name: "flaky", First: "fix the [31mtest",
		State: longrein.TurnEnded, Turns: 1, Requests: 2, Cost: 0.75, Archived: true, Seq: 10,
		Tokens:  longrein.Usage{Input: 22, Cached: 18, Output: 3, Reported: true},
		Created: testkit.Start, Updated: testkit.Start.Add(9 * time.Second),
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
	e = Fold(nil, e, longrein.Record{Seq: 11, Body: Archive(false)})
	if e.Archived {
		t.Error("still in the archive after it was taken out")
	}
}

func TestForksCountOnceInATotal(t *testing.T) {
	used := longrein.Usage{Input: 10, Cached: 9, Output: 1, Reported: true}
	answered := longrein.Answered{Usage: used, Cost: 0.5}
	fork := func(role longrein.ForkRole, state longrein.ForkState, requests int) longrein.Fork {
		f := longrein.Fork{Role: role, N: 1, State: state, Requests: requests}
		for range requests {
			f.Usage, f.Cost = f.Usage.Add(used), f.Cost+0.5
		}
		return f
	}
	var e Entry
	for _, r := range testkit.Records(
		longrein.Thread{ID: "t"},
		answered,
		fork(longrein.RoleSummarizer, longrein.ForkStarted, 0),
		fork(longrein.RoleDecider, longrein.ForkStarted, 0),
		longrein.Beside{Fork: "summarizer-1", Body: longrein.Asked{}},
		longrein.Beside{Fork: "summarizer-1", Body: answered},
		longrein.Beside{Fork: "summarizer-1", Body: longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Text: "x"}}}},
		longrein.Beside{Fork: "summarizer-1", Body: answered},
		longrein.Notes{Version: 1, By: "summarizer-1"},
		fork(longrein.RoleSummarizer, longrein.ForkFinished, 2),
		fork(longrein.RoleDecider, longrein.ForkDropped, 0),
		fork(longrein.RoleDecider, longrein.ForkStale, 1),
		longrein.Verdict{}, longrein.Reset{}, longrein.Pinned{Seq: 2},
		fork(longrein.RoleSummarizer, longrein.ForkSkipped, 0),
	) {
		e = Fold(nil, e, r)
	}
	if e.Requests != 4 || e.Cost != 2 || e.Tokens.Input != 40 {
		t.Errorf("%d requests, $%.2f and %d tokens in, want 4, $2.00 and 40", e.Requests, e.Cost, e.Tokens.Input)
	}
}

func TestWordsAreCutInsideTheLimitAndNeverInsideACharacter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{strings.Repeat("ä", 500), strings.Repeat(" x", 500), "\xff\xfe"})).Draw(t, "text")
		n := rapid.IntRange(int(limit.FirstWords.Min), 300).Draw(t, "n")
		got := words(text, n)
		if len(got) > n || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t\x1b") {
			t.Fatalf("words(%q, %d) = %q", text, n, got)
		}
	})
}

func TestUnpackGivesWhatWasPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, number := rapid.String(), rapid.Int64()
		moment := rapid.Custom(func(t *rapid.T) time.Time {
			return time.Unix(0, number.Filter(func(n int64) bool { return n != 0 }).Draw(t, "ns")).UTC()
		})
		want := Entry{
			ID: text.Draw(t, "id"), Path: text.Draw(t, "path"), Name: text.Draw(t, "name"), Cwd: text.Draw(t, "cwd"),
			Branch: text.Draw(t, "branch"), Model: text.Draw(t, "model"), First: text.Draw(t, "first"),
			State: longrein.TurnState(text.Draw(t, "state")), Turns: rapid.Int().Draw(t, "turns"), Requests: rapid.Int().Draw(t, "requests"),
			Tokens: longrein.Usage{
				Input: number.Draw(t, "input"), Cached: number.Draw(t, "cached"), CacheWrite: number.Draw(t, "write"),
				Output: number.Draw(t, "output"), Reasoning: number.Draw(t, "reasoning"), Reported: rapid.Bool().Draw(t, "reported"),
			},
			Cost: rapid.Float64().Draw(t, "cost"), Created: moment.Draw(t, "created"), Archived: rapid.Bool().Draw(t, "archived"),
			Parent: text.Draw(t, "parent"), ForkSeq: number.Draw(t, "fork"), Inherited: rapid.Bool().Draw(t, "inherited"),
			Seq: number.Draw(t, "seq"), Size: number.Draw(t, "size"), Modified: moment.Draw(t, "modified"), Damaged: text.Draw(t, "damaged"),
		}
		var got Entry
		if err := got.unpack(want.pack()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("row (-want +got):\n%s", diff)
		}
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add(Entry{ID: "a", Created: testkit.Start}.pack())
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		var e, again Entry
		if e.unpack(b) != nil {
			return
		}
		err := again.unpack(e.pack())
		if err != nil || !cmp.Equal(e, again) && e.Cost == e.Cost {
			t.Errorf("packing what was read of %x gives something else: %v", b, err)
		}
	})
}
