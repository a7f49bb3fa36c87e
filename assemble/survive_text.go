package assemble

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/longrein/longrein"
)

// Passage is a text that a model reads: an item's, the base instructions or a
// tool's.
type Passage struct {
	Tier longrein.Tier `json:"tier"`
	Kind string        `json:"kind"`
	Seq  int64         `json:"seq,omitempty"` // of the item's record, 0 for what a head made
	Text string        `json:"-"`
}

// Passages are all texts of the next request of s, in its order.
func Passages(s *State) []Passage {
	return passages(s.Base(), s.Window.Settings.Tools, s.entries)
}

// PassagesOf are the texts with which the window w of the thread of s begins.
func PassagesOf(s *State, w longrein.Window) []Passage {
	return passages(baseOf(s, w), w.Settings.Tools, w.Head)
}

func passages(base string, tools []longrein.ToolSpec, entries []longrein.Entry) []Passage {
	out := []Passage{{Tier: longrein.TierBase, Kind: KindBase, Text: base}}
	for _, t := range tools {
		out = append(out, Passage{Tier: longrein.TierBase, Kind: KindTools, Text: t.Name + " " + t.Description + " " + string(t.Schema)})
	}
	for _, e := range entries {
		out = append(out, PassageOf(e))
	}
	return out
}

// PassageOf is an entry's text.
func PassageOf(e longrein.Entry) Passage {
	return Passage{Tier: longrein.TierOf(e), Kind: KindOf(e.Item), Seq: e.Seq, Text: Text(e)}
}

// Finding is where a text stands.
type Finding struct {
	Whole []Passage `json:"whole"` // that have all of it
	// Nearest is the passage that is most like it, nil when one has it whole or none
	// has a word of it: of its Words it has Run in a row and Shared in all.
	Nearest *Passage `json:"nearest,omitempty"`
	Run     int      `json:"run,omitempty"`
	Shared  int      `json:"shared,omitempty"`
	Words   int      `json:"words"`
}

// Partly reports whether at least half of the text, and three words of it, stand
// somewhere in a row.
func (f Finding) Partly() bool { return f.Run >= 3 && 2*f.Run >= f.Words }

// Find looks for a text in passages. Case does not matter, nor what kind of blanks
// and line ends stand between words.
func Find(in []Passage, text string) Finding {
	want := plain(text)
	sought := words(want)
	f := Finding{Whole: []Passage{}, Words: len(sought)}
	if want == "" {
		return f
	}
	for _, p := range in {
		if strings.Contains(plain(p.Text), want) {
			f.Whole = append(f.Whole, p)
		}
	}
	if len(f.Whole) == 0 {
		f.nearest(in, sought)
	}
	return f
}

// nearest prefers the longest run of words, then many words, then a short passage.
func (f *Finding) nearest(in []Passage, sought []string) {
	at := map[string][]int{}
	for i, w := range sought {
		at[w] = append(at[w], i)
	}
	for i := range in {
		run, shared := likeness(at, len(sought), words(plain(in[i].Text)))
		better := cmp.Or(cmp.Compare(run, f.Run), cmp.Compare(shared, f.Shared))
		if better == 0 && f.Nearest != nil {
			better = cmp.Compare(len(f.Nearest.Text), len(in[i].Text))
		}
		if better > 0 {
			f.Nearest, f.Run, f.Shared = &in[i], run, shared
		}
	}
}

// likeness counts the words that stand in the same row in both texts, at most, and
// those that stand in both at all. At has the places of each of the n words of one.
func likeness(at map[string][]int, n int, text []string) (run, shared int) {
	before, now := make([]int, n+1), make([]int, n+1) // runs that end with the word i-1
	seen := make([]bool, n)
	var old []int
	for _, w := range text {
		for _, i := range at[w] {
			now[i+1] = before[i] + 1
			run = max(run, now[i+1])
			if !seen[i] {
				seen[i], shared = true, shared+1
			}
		}
		for _, i := range old {
			before[i+1] = 0
		}
		before, now, old = now, before, at[w]
	}
	return run, shared
}

// plain is a text without what does not matter.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

// words are a text's, without the marks around them.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}
