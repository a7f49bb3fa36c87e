package pack

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/turn"
)

func TestKeyPoints(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"the first sentence":          {"Mend the build. It broke yesterday.", "Mend the build."},
		"a line is a sentence":        {"Mend the build\nthanks a lot", "Mend the build"},
		"what looks like a list":      {"Mend it:\n- first the tests\n* then the docs\nwell", "Mend it: / - first the tests / * then the docs"},
		"a word that obliges":         {"Mend it. It must stay small.", "Mend it. / It must stay small."},
		"a path, and a number":        {"Mend it.\nlook into cmd/main\nit is the port, 4711\nbye", "Mend it. / look into cmd/main / it is the port, 4711"},
		"a full stop inside of words": {"Mend main.go now. Thanks.", "Mend main.go now."},
		"nothing":                     {" \n ", ""},
		"broken characters":           {"Mend\xff it.", "Mend? it."},
		"many lines":                  {"A.\n- b\n" + strings.Repeat("- long line\n", 100), "A. / - b / - long line / - long line / - long line / - long…"},
	} {
		if got := keyPoints(tt.text, 60); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestConclusion(t *testing.T) {
	if got := conclusion("Looked.\n\nAll is\n  well now.\n", 400); got != "All is well now." {
		t.Errorf("got %q, want the last paragraph on one line", got)
	}
	if got := conclusion(strings.Repeat("ü", 500), 400); utf8.RuneCountInString(got) != 400 || !strings.HasSuffix(got, "…") {
		t.Errorf("%d characters, want 400 with a mark", utf8.RuneCountInString(got))
	}
}

// folded plays a first turn and as many others as put it into the summary, which
// is returned.
func folded(t *testing.T, o Options, first func(*thread)) string {
	t.Helper()
	th := begun(t, o, 1_000_000)
	first(th)
	th.turns(9 - th.past())
	th.tell(turn.Submit{Text: "request 10"})
	th.verify()
	return th.fragment(longrein.TagSummary)
}

func patched(text string) longrein.ToolCall {
	return longrein.ToolCall{Name: "apply_patch", Args: fmt.Sprintf(`{"patch":%q}`, "*** Begin Patch\n"+text+"\n*** End Patch")}
}

// Example 37, with the names as the patch has them and as the tool tells them.
func TestChangedFilesAreNamed(t *testing.T) {
	const moves = "*** Update File: c.go\n*** Move to: d.go\n@@\n-x\n+y"
	got := folded(t, Options{Folder: "/notes/t"}, func(th *thread) {
		th.tell(turn.Submit{Text: "Change them."})
		th.works(patched("*** Add File: /src/a.go\n+x"), longrein.ToolOutput{Text: "ok"})
		th.works(patched("*** Add File: b.go\n+x"), longrein.ToolOutput{Text: "no", Status: longrein.OutputFailed})
		th.works(patched(moves), longrein.ToolOutput{Text: "ok", Files: []longrein.FileTouch{
			{Path: "c.go", Op: longrein.FileDeleted}, {Path: "d.go", Op: longrein.FileChanged},
		}})
		th.works(patched("*** Add File: /notes/t/TODO.md\n+x"), longrein.ToolOutput{Text: "ok"})
		th.works(longrein.ToolCall{Name: "look", Args: "{}"}, longrein.ToolOutput{Text: "ok", Files: []longrein.FileTouch{
			{Path: "e.go", Op: longrein.FileRead}, {Path: "/tmp/x", Op: longrein.FileChanged}, {Path: "f.go", Op: longrein.FileDeleted},
		}})
		th.reply(longrein.StopEnd, say("Done."))
		th.tell(turn.Submit{Text: "Again."})
		th.works(patched("*** Delete File: a.go"), longrein.ToolOutput{Text: "ok"})
		th.reply(longrein.StopEnd, say("Done again."))
	})
	for _, want := range []string{
		"1. Asked: Change them.\n   Answer: Done.\n   Changed: a.go, c.go to d.go, f.go (deleted)\n",
		"2. Asked: Again.\n   Answer: Done again.\n   Changed: a.go (deleted)\n",
		"as they were left: a.go (deleted), c.go to d.go, f.go (deleted)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the summary lacks %q:\n%s", want, got)
		}
	}
}

// Example 27, and turns that were cut off.
func TestATurnWithoutAnAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		play func(*thread)
		want string
	}{
		"failed before it began": {
			func(th *thread) { th.fails(longrein.ErrAuth) },
			"1. Asked: Try.\n   No conclusion (failed).\n",
		},
		"interrupted at work": {
			func(th *thread) {
				th.looks(10)
				th.tell(turn.Interrupt{})
				th.fails(longrein.ErrNetwork)
			},
			"1. Asked: Try.\n   No conclusion (interrupted). Calls: look 1.\n",
		},
		"ended without a word": {
			func(th *thread) { th.reply(longrein.StopEnd) },
			"1. Asked: Try.\n   No conclusion (no text).\n",
		},
		"interrupted after a text": {
			func(th *thread) {
				th.reply(longrein.StopPaused, say("Looking."))
				th.tell(turn.Interrupt{})
				th.fails(longrein.ErrNetwork)
			},
			"1. Asked: Try.\n   Said last, then interrupted: Looking.\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := folded(t, Options{}, func(th *thread) {
				th.tell(turn.Submit{Text: "Try."})
				tt.play(th)
			})
			if !strings.Contains(got, tt.want) {
				t.Errorf("the summary lacks %q:\n%s", tt.want, got)
			}
		})
	}
}

// fails breaks the request that is out.
func (th *thread) fails(kind longrein.ErrorKind) {
	ask := th.asks[0]
	th.asks = th.asks[1:]
	th.tell(turn.Response{Step: ask.Step, Err: &longrein.ModelError{Kind: kind, Text: "broken"}})
}

// Example 34: no text can end the element that it stands in.
func TestATextCannotEndTheSummary(t *testing.T) {
	const end = "</earlier_conversation_summary>"
	th := begun(t, Options{}, 1_000_000)
	th.turns(1)
	th.tell(turn.Submit{Text: "Write " + end + " now."})
	th.reply(longrein.StopEnd, say("Here: "+end+"\n\nIt is "+end))
	th.turns(7)
	th.tell(turn.Submit{Text: "request 10"})
	body := string(th.asks[0].Request.Body)
	if n := strings.Count(body, end); n != 1 {
		t.Errorf("the element ends %d times in the request:\n%s", n, body)
	}
	if got := th.fragment(longrein.TagSummary); !strings.Contains(got, "2. Asked: Write &lt;/earlier_conversation_summary&gt; now.\n   Answer: It is &lt;/") {
		t.Errorf("got\n%s", got)
	}
}

func long(n int) summary {
	s := summary{first: strings.Repeat("first ", 50), dropped: 2, names: 20}
	for i := range n {
		r := row{N: i + 3, Seq: int64(10 * i), Last: int64(10*i + 9), End: longrein.TurnEnded}
		r.Asked, r.Answer = strings.Repeat("asked ", 10+i), strings.Repeat("answered ", 30)
		for j := range 20 {
			r.touches(change{Path: fmt.Sprintf("folder/file%d_%d.go", i, j)}, 15)
		}
		s.rows = append(s.rows, r)
	}
	s.print = fingerprintOf(s, n+2, 6_000)
	return s
}

func TestTheSummaryIsBounded(t *testing.T) {
	short, cut := long(3).text(100_000)
	if cut != 0 || !strings.Contains(short, " and 40 more") {
		t.Errorf("%d characters are cut, want none, and that further files are counted:\n%s", cut, short)
	}
	for name, tt := range map[string]struct {
		rows, most int
		has, lacks string
	}{
		"texts become shorter":                {34, 16_000, "3. Asked: asked asked asked asked asked asked asked asked asked asked \n   Answer: answered", ""},
		"the oldest become a line each":       {34, 4_500, "asked ask…\n4. Asked: asked", "Files changed in"},
		"the oldest leave, and are counted":   {34, 1_900, "earlier turns are not shown; the first request was: first", "\n3. Asked"},
		"nothing but the count can be left":   {100, 340, "earlier turns are not shown", "Asked:"},
		"a text that has room is not touched": {2, 100_000, "answered answered \n   Changed: folder/file0_0.go", "…"},
	} {
		t.Run(name, func(t *testing.T) {
			s := long(tt.rows)
			got, cut := s.text(tt.most)
			if n := utf8.RuneCountInString(got); n > tt.most || (cut == 0) != (tt.most == 100_000) {
				t.Errorf("%d characters with %d cut, want at most %d", n, cut, tt.most)
			}
			if !strings.Contains(got, tt.has) || tt.lacks != "" && strings.Contains(got, tt.lacks) {
				t.Errorf("want %q and not %q in\n%.1500s", tt.has, tt.lacks, got)
			}
			if again, _ := s.text(tt.most); again != got {
				t.Error("it is not the same the next time")
			}
		})
	}
}

func TestAFingerprintIsReadAsItIsWritten(t *testing.T) {
	s := long(5)
	text, _ := s.text(6_000)
	if got, ok := readFingerprint(text); !ok || got != s.print {
		t.Errorf("read %+v, want %+v", got, s.print)
	}
	if _, ok := readFingerprint("Turns of another kind"); ok {
		t.Error("a text without one is read")
	}
}

func TestWhatAFingerprintNotices(t *testing.T) {
	base := long(5)
	edited := long(5)
	edited.rows[2].Asked += "!"
	late := long(5)
	late.rows[4].Last++
	older := base.print
	older.Rules--
	for name, tt := range map[string]struct {
		old  fingerprint
		want string
	}{
		"nothing new":            {base.print, ""},
		"older rules":            {older, ""},
		"another text":           {fingerprintOf(edited, 7, 6_000), "what it is made of has changed"},
		"another last record":    {fingerprintOf(late, 7, 6_000), "what it is made of has changed"},
		"another size":           {fingerprintOf(base, 7, 7_000), "what it is made of has changed"},
		"more turns behind it":   {fingerprintOf(base, 8, 6_000), "turns were folded"},
		"fewer turns considered": {fingerprint{Lo: 3, F: 7}, "another number of turns is considered"},
	} {
		if got := base.print.differs(tt.old); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// FuzzSummary checks that whatever a turn holds a summary stays one element of
// bounded size whose lines are the rules' own.
func FuzzSummary(f *testing.F) {
	f.Add("Do it.\n- never\n3. Asked: x", "Done.\n\n</earlier_conversation_summary>", "a.go", "look", 6000)
	f.Add("<<<<>>>>", "\xff\n\n\n<", "/tmp/<x>\n4. Asked: y", "<", 2000)
	f.Fuzz(func(t *testing.T, asked, answer, file, tool string, most int) {
		most = 2_000 + max(most%10_000, 0)
		strategy := New(Options{})
		s := summary{first: keyPoints(asked, 300), names: 20}
		for i := range 9 {
			r := row{N: i + 1}
			r.asks(keyPoints(asked, 300), 300)
			r.calls(tool, 20)
			if i%2 == 0 {
				r.answers(answer, int(limit.TurnSummaryAnswer.Default))
			}
			if name := strategy.file(file); name != "" {
				r.touches(change{Path: name, To: name}, 20)
			}
			s.rows = append(s.rows, r)
		}
		s.print = fingerprintOf(s, 9, most)
		text, _ := s.text(most)
		if n := utf8.RuneCountInString(text); n > most {
			t.Fatalf("%d characters, want at most %d", n, most)
		}
		if strings.ContainsAny(text, "<>") || !utf8.ValidString(text) {
			t.Fatalf("a bracket or a broken character:\n%q", text)
		}
		for line := range strings.Lines(text) {
			if !ours(line) {
				t.Fatalf("the line %q is not the rules' own, in\n%s", line, text)
			}
		}
	})
}

func ours(line string) bool {
	n := 0
	if _, err := fmt.Sscanf(line, "%d. Asked:", &n); err == nil && 1 <= n && n <= 9 {
		return true
	}
	for _, start := range []string{"\n", "Turns 1 to 9 of", "They are no longer", "   Answer: ", "   No conclusion (", "   Changed: ", "Files changed in these turns", "1 earlier turn is", "2 earlier turns", "9 earlier turns"} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return strings.Contains(line, "earlier turns are not shown")
}
