package index_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
)

func said(text string) longrein.Body {
	return longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleAssistant, Text: text}}}
}

func called(name, args string) longrein.Body {
	return longrein.Appended{Entry: longrein.Entry{Item: longrein.ToolCall{ID: "c", Name: name, Args: args}}}
}

func output(text string) longrein.Body {
	return longrein.Appended{Entry: longrein.Entry{Item: longrein.ToolOutput{CallID: "c", Text: text, Status: longrein.OutputOK}}}
}

func asked(text string) longrein.Body {
	return longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: text}}, Input: 2}
}

// start is the first records of a thread, with the input taken.
func start(id, cwd, words string) []longrein.Body { return append(begin(id, cwd, words), asked(words)) }

func turn(n int, s longrein.TurnState) longrein.Body { return longrein.Turn{N: n, State: s} }

func searched(t *testing.T, x *index.Index, q index.Query, text string) []index.Hit {
	t.Helper()
	found, err := x.Search(context.Background(), q, text)
	if err != nil {
		t.Fatalf("search for %q: %v", text, err)
	}
	return found
}

// library is an index with some threads in it.
func library(t *testing.T) *index.Index {
	d := newDisk()
	d.write(place(1), threadID(1), append(start(threadID(1), "/src", "mend the parser"),
		said("The lexer in scan.go drops a quote."),
		called("shell", `{"command":"go test ./parse/...","timeout":20}`),
		output("--- FAIL: TestQuote (0.00s)\n    scan_test.go:12: undefined: unquote"),
		turn(1, longrein.TurnEnded),
		turn(2, longrein.TurnStarted), asked("now the Größe of the 文件系统 tables"), said("Done: résumé."), turn(2, longrein.TurnEnded))...)
	d.write(place(1), threadID(2), append(start(threadID(2), "/doc", "write about quotes"), longrein.Renamed{Name: "Parser guide"})...)
	d.write(place(2), threadID(3), append(start(threadID(3), "/src", "old parser notes"), index.Archive(true))...)
	x := opened(t, d)
	synced(t, x, index.Quick)
	return x
}

func TestSearch(t *testing.T) {
	tests := map[string]struct {
		q     index.Query
		words string
		want  []int
	}{
		"a name goes before an input":              {index.Query{}, "parser", []int{2, 1}},
		"in any case":                              {index.Query{}, "LEXER", []int{1}},
		"the beginning of a word":                  {index.Query{}, "pars", []int{2, 1}},
		"not the middle of one":                    {index.Query{}, "arser", nil},
		"two letters are a whole word":             {index.Query{}, "pa", nil},
		"all words must be there, wherever":        {index.Query{}, "tables quote", []int{1}},
		"one that is missing is enough":            {index.Query{}, "parser missing", nil},
		"a command":                                {index.Query{}, "go test", []int{1}},
		"a file's name":                            {index.Query{}, "scan.go", []int{1}},
		"a path":                                   {index.Query{}, "./parse/...", []int{2, 1}},
		"names of arguments are no words":          {index.Query{}, "timeout", nil},
		"what an output begins with":               {index.Query{}, "undefined: unquote", []int{1}},
		"a phrase":                                 {index.Query{}, `"drops a quote"`, []int{1}},
		"a phrase in another order":                {index.Query{}, `"quote a drops"`, nil},
		"a phrase does not go on in the next item": {index.Query{}, `"parser the lexer"`, nil},
		"a quoted word is not the beginning":       {index.Query{}, `"pars"`, nil},
		"any letters":                              {index.Query{}, "größe", []int{1}},
		"a part of a text without spaces":          {index.Query{}, "件系", []int{1}},
		"an accent made of a mark":                 {index.Query{}, "re\u0301sume\u0301", nil},
		"a folder":                                 {index.Query{Cwd: "/src"}, "parser", []int{1}},
		"the archive":                              {index.Query{Archived: true}, "parser", []int{3}},
		"everywhere":                               {index.Query{All: true}, "parser", []int{2, 3, 1}},
		"at most so many":                          {index.Query{All: true, Limit: 1}, "parser", []int{2}},
	}
	x := library(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got, want []string
			for _, h := range searched(t, x, tt.q, tt.words) {
				got = append(got, h.ID)
			}
			for _, n := range tt.want {
				want = append(want, threadID(n))
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("threads (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAHitShowsItsPlace(t *testing.T) {
	tests := map[string]index.Hit{
		"lexer quote": {Kind: index.KindSaid, Turn: 1, Seq: 5, Text: "The lexer in scan.go drops a quote.", Marks: [][2]int{{4, 9}, {29, 34}}},
		"go test":     {Kind: index.KindCalled, Turn: 1, Seq: 6, Text: "shell go test ./parse/...", Marks: [][2]int{{6, 8}, {9, 13}}},
		"undefined":   {Kind: index.KindOutput, Turn: 1, Seq: 7, Text: "--- FAIL: TestQuote (0.00s) scan_test.go:12: undefined: unquote", Marks: [][2]int{{45, 54}}},
		"tables":      {Kind: index.KindAsked, Turn: 2, Seq: 10, Text: "now the Größe of the 文件系统 tables", Marks: [][2]int{{36, 42}}},
		"guide":       {Kind: index.KindName, Text: "Parser guide", Marks: [][2]int{{7, 12}}},
	}
	x := library(t)
	for words, want := range tests {
		got := searched(t, x, index.Query{}, words)[0]
		got.Entry = index.Entry{}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", words, diff)
		}
	}
}

func TestALongTextIsShownAroundTheWord(t *testing.T) {
	d := newDisk()
	d.write(place(1), threadID(1), start(threadID(1), "/src", strings.Repeat("filler ", 200)+"and the needle in it "+strings.Repeat("more ", 50))...)
	x := opened(t, d)
	synced(t, x, index.Quick)
	h := searched(t, x, index.Query{}, "needle")[0]
	if len(h.Text) > limit.Set(nil).Int(limit.SearchSnippet)+len("…") || len(h.Marks) != 1 || h.Text[h.Marks[0][0]:h.Marks[0][1]] != "needle" {
		t.Errorf("shown is %q with the places %v", h.Text, h.Marks)
	}
	if !strings.HasPrefix(h.Text, "…filler filler and the needle") {
		t.Errorf("shown is %q, want a few words before the needle", h.Text)
	}
}

func TestWhatIsSearchedOfAnItemHasALimit(t *testing.T) {
	d := newDisk()
	d.write(place(1), threadID(1), append(start(threadID(1), "/src", "begin "+strings.Repeat("x ", 5_000)+"behind"),
		output("first "+strings.Repeat("y ", 400)+"last"))...)
	for _, tt := range []struct {
		set   limit.Set
		words string
		want  int
	}{
		{nil, "begin", 1},
		{nil, "behind", 0},
		{limit.Set{"search-item": 20_000}, "behind", 1},
		{nil, "first", 1},
		{nil, "last", 0},
		{limit.Set{"search-output": 2_000}, "last", 1},
		{limit.Set{"search-output": 0}, "first", 0},
	} {
		x, err := index.Open("", index.Options{Logs: d.logs(), Limits: tt.set})
		if err != nil {
			t.Fatal(err)
		}
		synced(t, x, index.Quick)
		if got := searched(t, x, index.Query{}, tt.words); len(got) != tt.want {
			t.Errorf("%q with the limits %v: %d threads, want %d", tt.words, tt.set, len(got), tt.want)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestWhatIsNoWordIsAnErrorOfTheUsers(t *testing.T) {
	x := library(t)
	for _, text := range []string{"", "   ", "...", `"`, `""`, "\x00", "*", "()", strings.Repeat("w ", 33)} {
		if _, err := x.Search(context.Background(), index.Query{}, text); !errors.Is(err, index.ErrWords) {
			t.Errorf("search for %q: %v, want ErrWords", text, err)
		}
	}
}

func FuzzSearch(f *testing.F) {
	for _, text := range []string{
		`"`, `a"b`, `NEAR(a b)`, `a AND OR NOT b`, `name : x`, `{asked work} : x`, `^a`, `a*`, `-a`, `a + b`, "\x00a\x00",
		"'; drop table words; --", "\xff\xfe", "a\uE000b", strings.Repeat("long", 100_000), strings.Repeat(`"a b" `, 20), "ſ İ ß ﬁ Ⅷ",
	} {
		f.Add(text)
	}
	d := newDisk()
	d.write(place(1), threadID(1), start(threadID(1), "/src", "mend the parser")...)
	x, err := index.Open("", index.Options{Logs: d.logs()})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { x.Close() })
	if _, err := x.Sync(context.Background(), index.Quick); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := x.Search(context.Background(), index.Query{}, text); err != nil && !errors.Is(err, index.ErrWords) {
			t.Errorf("search for %q: %v", text, err)
		}
	})
}

func TestWhatWasTakenBackIsFoundAndMarked(t *testing.T) {
	d := newDisk()
	d.write(place(1), threadID(1), append(start(threadID(1), "/src", "alpha"), // 1 to 4
		turn(1, longrein.TurnEnded),
		turn(2, longrein.TurnStarted), asked("beta"), turn(2, longrein.TurnEnded), // 6 to 8
		longrein.Rollback{To: 5, Turns: 1}, longrein.Window{N: 2, Turns: 1}, // 9, 10
		turn(2, longrein.TurnStarted), asked("gamma"), turn(2, longrein.TurnEnded))...) // 11 to 13
	check := func(step string, want map[string]bool) {
		t.Helper()
		x := opened(t, d)
		synced(t, x, index.Quick)
		for words, hidden := range want {
			if h := searched(t, x, index.Query{}, words)[0]; h.Hidden != hidden {
				t.Errorf("%s: %q in turn %d is hidden: %v, want %v", step, words, h.Turn, h.Hidden, hidden)
			}
		}
	}
	check("after a rollback", map[string]bool{"alpha": false, "beta": true, "gamma": false})
	d.write(place(1), threadID(1), longrein.Rollback{To: 8, Turns: 1, Redo: true}, longrein.Window{N: 3, Turns: 2})
	check("after it was taken back", map[string]bool{"alpha": false, "beta": false, "gamma": true})
}

func TestAForkIsFoundByItsOwnWordsAndKnownByItsParents(t *testing.T) {
	d := newDisk()
	d.write(place(1), threadID(1), append(start(threadID(1), "/src", "alpha"), turn(1, longrein.TurnEnded))...)
	fork := longrein.Thread{ID: threadID(2), Cwd: "/src", Model: "sim:a", Parent: threadID(1), ForkSeq: 5}
	d.fork(place(1), fork)
	x := opened(t, d)
	synced(t, x, index.Quick)
	e := listed(t, x, index.Query{Limit: 1})[0]
	if e.Parent != threadID(1) || e.ForkSeq != 5 || e.First != "alpha" || !e.Inherited || e.Turns != 1 || e.State != longrein.TurnEnded {
		t.Errorf("a fork is listed as %+v", e)
	}
	d.write(place(1), threadID(2), longrein.Input{Text: "beta"}, turn(2, longrein.TurnStarted), asked("beta"))
	synced(t, x, index.Quick)
	e = listed(t, x, index.Query{Limit: 1})[0]
	if e.First != "beta" || e.Inherited || e.Turns != 2 || e.State != longrein.TurnStarted {
		t.Errorf("a fork that went on is listed as %+v", e)
	}
	if got := searched(t, x, index.Query{}, "alpha"); len(got) != 1 || got[0].ID != threadID(1) {
		t.Errorf("what both share is found in %d threads, want the parent alone", len(got))
	}
	if got := searched(t, x, index.Query{}, "beta"); len(got) != 1 || got[0].Turn != 2 {
		t.Errorf("found is %+v, want turn 2 of the fork", got)
	}
}

// shared is how the disk's threads stood when one was forked from them.
func (d *disk) shared(t longrein.Thread) iter.Seq[longrein.Record] {
	return func(yield func(longrein.Record) bool) {
		for _, r := range d.records[t.Parent] {
			if r.Seq <= t.ForkSeq && !yield(r) {
				return
			}
		}
	}
}

// filler makes packs full.
var filler = strings.Repeat(" filler", 1_000)

var vocabulary = strings.Fields("go test parser parse mend the a scan.go main() 文件 系统 Größe x1 x12 x123 café")

// However threads grow, are looked at, renamed and removed, a search finds the
// threads that reading all logs finds.
func TestASearchFindsWhatReadingEverythingFinds(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d, dir := newDisk(), t.TempDir()
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 6).Draw(t, "words"), " ") + rapid.SampledFrom([]string{"", "", "", filler}).Draw(t, "filler")
		})
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			n := rapid.IntRange(1, 4).Draw(r, "thread")
			id, day := threadID(n), place(n/2)
			if len(d.records[id]) == 0 {
				d.write(day, id, start(id, "/src", text.Draw(r, "first"))...)
			}
			switch rapid.SampledFrom([]string{"say", "say", "ask", "call", "name", "remove", "shorten", "look"}).Draw(r, "do") {
			case "say":
				d.write(day, id, said(text.Draw(r, "said")))
			case "ask":
				d.write(day, id, asked(text.Draw(r, "asked")))
			case "call":
				d.write(day, id, called("shell", fmt.Sprintf(`{"command":%q}`, text.Draw(r, "called"))))
			case "name":
				d.write(day, id, longrein.Renamed{Name: text.Draw(r, "name")})
			case "remove":
				d.remove(day, id)
				hits(r, d, dir, "go") // no other thread gets its id
			case "shorten":
				d.records[id] = d.records[id][:4]
				d.write(day, id)
				hits(r, d, dir, "go") // before it is as long as it was
			case "look":
				hits(r, d, dir, "go")
			}
		}
		words := rapid.SliceOfN(rapid.SampledFrom(append([]string{"par", "x12", `"go test"`, `"the a"`, "scan", "main", "件", "ca"}, vocabulary...)), 1, 3).Draw(r, "query")
		query := strings.Join(words, " ")
		if diff := gocmp.Diff(naive(d, words), hits(r, d, dir, query)); diff != "" {
			r.Fatalf("search for %s (-reading everything +index):\n%s", query, diff)
		}
	})
}

func hits(t *rapid.T, d *disk, dir, words string) []string {
	t.Helper()
	x, err := index.Open(dir, index.Options{Logs: d.logs()})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := x.Sync(context.Background(), index.Quick); err != nil {
		t.Fatal(err)
	}
	found, err := x.Search(context.Background(), index.Query{}, words)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range found {
		if len(h.Marks) == 0 || h.Text == "" {
			t.Errorf("%s was found at %q, where nothing is", words, h.Text)
		}
		out = append(out, h.ID)
	}
	slices.Sort(out)
	return out
}

// naive reads every record for every word.
func naive(d *disk, words []string) []string {
	var out []string
	for id, records := range d.records {
		name, texts := "", []string{}
		for _, r := range records {
			switch b := r.Body.(type) {
			case longrein.Renamed:
				name = b.Name
			case longrein.Appended:
				switch it := b.Item.(type) {
				case longrein.Message:
					texts = append(texts, it.Text)
				case longrein.ToolCall:
					texts = append(texts, it.Name+" "+it.Args)
				}
			}
		}
		in := func(word string) bool {
			return slices.ContainsFunc(append(texts, name), func(text string) bool { return contains(text, word) })
		}
		if len(records) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !in(w) }) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// contains reports whether a word of the test's is found in a text of its
// vocabulary.
func contains(text, word string) bool {
	plain := strings.NewReplacer(".", " ", "()", " ", `"`, " ", "文", " 文 ", "件", " 件 ", "系", " 系 ", "统", " 统 ", "{", " ", "}", " ", ":", " ")
	spell := func(s string) string {
		return " " + strings.Join(strings.Fields(plain.Replace(strings.ToLower(s))), " ")
	}
	want := spell(word)
	if quoted := strings.HasPrefix(word, `"`); quoted || len(cmp.Or(last(want), " ")) < 3 {
		want += " "
	}
	return strings.Contains(spell(text)+" ", want)
}

func last(words string) string { return words[strings.LastIndex(words, " ")+1:] }
