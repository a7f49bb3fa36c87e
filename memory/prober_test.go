package memory_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

func TestReadQuestions(t *testing.T) {
	q := func(ask, want string) longrein.Question { return longrein.Question{Ask: ask, Want: want} }
	tests := map[string]struct {
		text string
		want []longrein.Question
	}{
		"pairs of lines":             {"Q: Which port?\nA: 4711\n\nQ: Which branch?\nA: main", []longrein.Question{q("Which port?", "4711"), q("Which branch?", "main")}},
		"with marks around them":     {"**Q: Which port?**\n`A: 4711`", []longrein.Question{q("Which port?", "4711")}},
		"no more than asked for":     {"Q: a?\nA: 1\nQ: b?\nA: 2\nQ: c?\nA: 3", []longrein.Question{q("a?", "1"), q("b?", "2")}},
		"an answer without question": {"A: 4711\nQ: a?\nA: 1", []longrein.Question{q("a?", "1")}},
		"a question without answer":  {"Q: a?\nQ: b?\nA: 2", []longrein.Question{q("b?", "2")}},
		"no answer at all":           {"I have no questions.", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, memory.ReadQuestions(tt.text, 2)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	long := memory.ReadQuestions("Q: "+strings.Repeat("why ", 1000)+"\nA: "+strings.Repeat("so ", 1000), 1)
	if len(long) != 1 || len(long[0].Ask) > 450 || len(long[0].Want) > 450 {
		t.Errorf("a long question is kept in %d and %d bytes", len(long[0].Ask), len(long[0].Want))
	}
}

func TestMark(t *testing.T) {
	asked := []longrein.Question{{Ask: "Which port?", Want: "port 4711"}, {Ask: "Which branch?", Want: "main"}, {Ask: "Why?", Want: "it leaked"}}
	got := memory.Mark(asked, "A1: It is Port 4711.\nA2: not known\nA4: it leaked")
	want := []longrein.Question{
		{Ask: "Which port?", Want: "port 4711", Got: "It is Port 4711", OK: true},
		{Ask: "Which branch?", Want: "main", Got: "not known"},
		{Ask: "Why?", Want: "it leaked"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if asked[0].Got != "" {
		t.Error("the questions were changed")
	}
}
