package assemble

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/longrein/longrein"
	"pgregory.net/rapid"
)

func fragment(tag longrein.Tag, text string) longrein.Entry {
	return longrein.Entry{Item: longrein.NewFragment(tag, text)}
}

func said(seq int64, text string) longrein.Entry {
	return longrein.Entry{Seq: seq, Item: longrein.Message{Role: longrein.RoleUser, Text: text}}
}

func output(seq int64, text string) longrein.Entry {
	return longrein.Entry{Seq: seq, Item: longrein.ToolOutput{CallID: "c", Text: text}}
}

func TestFates(t *testing.T) {
	now := []longrein.Entry{
		fragment(longrein.TagEnvironment, "cwd: /"),
		fragment(longrein.TagInstructions, "Keep to it."),
		said(11, "go"), said(12, "a long story"),
		fragment(longrein.TagNotes, "old notes"),
		fragment(longrein.TagLedger, "old ledger"),
		{Seq: 13, Item: longrein.NewFragment(longrein.TagEnvironment, "cwd: /src")},
		output(14, "noted"), output(15, "covered"), output(16, "new"), output(17, "pinned"),
	}
	head := []longrein.Entry{
		fragment(longrein.TagEnvironment, "cwd: /src"),
		fragment(longrein.TagPinned, "Item #17 of this thread, pinned so that it is always here:\npinned"),
		said(11, "go"), said(12, "a story"),
		fragment(longrein.TagNotes, "new notes"),
	}
	for name, c := range map[string]struct {
		next Next
		want []Fate
	}{
		"without a summary": {
			Next{Window: longrein.Window{N: 3, Head: head, Fresh: 1}, Cited: map[int64]bool{14: true}},
			[]Fate{FateAnew, FateLog, FateWhole, FatePart, FateAnew, FateLog, FateAnew, FateNoted, FateLog, FateLog, FateWhole},
		},
		"with a summary of what the notes do not cover": {
			Next{Window: longrein.Window{N: 3, Head: head, Fresh: 1}, Cited: map[int64]bool{14: true}, Summary: true, Covered: 15},
			[]Fate{FateAnew, FateLog, FateWhole, FatePart, FateAnew, FateLog, FateAnew, FateNoted, FateLog, FateSummed, FateWhole},
		},
		"with a summary of all": {
			Next{Window: longrein.Window{N: 3, Head: head, Fresh: 1}, Summary: true},
			[]Fate{FateAnew, FateLog, FateWhole, FatePart, FateAnew, FateSummed, FateAnew, FateSummed, FateSummed, FateSummed, FateWhole},
		},
		"when no window would begin": {
			Next{},
			[]Fate{FateWhole, FateWhole, FateWhole, FateWhole, FateWhole, FateWhole, FateWhole, FateWhole, FateWhole, FateWhole, FateWhole},
		},
	} {
		b := opened(t, longrein.WireResponses)
		b.add(t, longrein.Window{N: 2, Settings: settingsFor(longrein.WireResponses), Head: now, Fresh: 2})
		if diff := cmp.Diff(c.want, Survive(&b.State, c.next, nil).Entries); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestFatesSumUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := opened(rt, longrein.WireResponses)
		grown(rt, b)
		head := rapid.SliceOfDistinct(rapid.SampledFrom(b.Entries()), func(e longrein.Entry) int64 { return e.Seq }).Draw(rt, "head")
		s := Survive(&b.State, Next{Window: longrein.Window{N: 2, Head: head, Settings: b.Window.Settings}, Summary: rapid.Bool().Draw(rt, "summary")}, nil)
		r, err := Explain(&b.State, nil)
		if err != nil {
			rt.Fatal(err)
		}
		all := 0
		for _, k := range s.Kinds {
			sum := 0
			for _, f := range Fates {
				sum += k.Fates[f]
			}
			if sum != k.Tokens {
				rt.Fatalf("%s: the fates sum up to %d of %d tokens", k.Kind, sum, k.Tokens)
			}
			all += sum
		}
		if all != r.Tokens || s.Before != r.Tokens {
			rt.Fatalf("%d tokens have a fate, %d before; the request has %d", all, s.Before, r.Tokens)
		}
	})
}

func TestTextsAreFound(t *testing.T) {
	in := []Passage{
		{Kind: "environment", Text: "cwd: /"},
		{Kind: "user message", Seq: 7, Text: "Please:\n  Never   push to MAIN,\nnot even once."},
		{Kind: "tool output", Seq: 9, Text: "push is not what main does"},
	}
	for text, want := range map[string]struct {
		whole   int64
		nearest int64
		run     int
		partly  bool
	}{
		"never push to main":                {whole: 7},
		"  NEVER\tpush\nto main, not even ": {whole: 7},
		"never push to main at night":       {nearest: 7, run: 4, partly: true},
		"push to nowhere":                   {nearest: 7, run: 2},
		"do not push":                       {nearest: 9, run: 1},
		"nothing like this":                 {},
		"   ":                               {},
	} {
		f := Find(in, text)
		var whole, nearest int64
		if len(f.Whole) > 0 {
			whole = f.Whole[0].Seq
		}
		if f.Nearest != nil {
			nearest = f.Nearest.Seq
		}
		if whole != want.whole || nearest != want.nearest || f.Run != want.run || f.Partly() != want.partly {
			t.Errorf("%q: whole in %d, nearest %d with %d in a row, partly %v", text, whole, nearest, f.Run, f.Partly())
		}
	}
}

func TestTheLongestRunIsThatOfASimpleSearch(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	rapid.Check(t, func(rt *rapid.T) {
		sought := rapid.SliceOfN(word, 0, 8).Draw(rt, "sought")
		text := rapid.SliceOfN(word, 0, 20).Draw(rt, "text")
		at := map[string][]int{}
		for i, w := range sought {
			at[w] = append(at[w], i)
		}
		want := 0
		for i := range sought {
			for j := range text {
				n := 0
				for i+n < len(sought) && j+n < len(text) && sought[i+n] == text[j+n] {
					n++
				}
				want = max(want, n)
			}
		}
		if got, _ := likeness(at, len(sought), text); got != want {
			rt.Fatalf("a run of %d words, want %d", got, want)
		}
	})
}
