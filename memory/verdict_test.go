package memory_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

func TestAVerdictIsReadStrictly(t *testing.T) {
	tests := map[string]struct {
		answer  string
		reset   bool
		strict  bool
		problem string // part of it
	}{
		"case 37: the word alone":                   {"RESET", true, true, ""},
		"case 37: after a sentence":                 {"Most outputs were read and used.\n\nRESET\n", true, true, ""},
		"case 38: blanks around it":                 {"Done.\n \tRESET  \r\n", true, true, ""},
		"case 38: in back-quotes":                   {"`RESET`", true, true, ""},
		"case 38: bold, with a full stop":           {"**RESET.**", true, true, ""},
		"case 38: in quotes with a full stop":       {"“RESET”.", true, true, ""},
		"case 38: in a code block":                  {"Reason.\n```\nRESET\n```", true, true, ""},
		"carry on":                                  {"It is nearly done.\nCARRY ON", false, true, ""},
		"carry on, dressed up":                      {"It is nearly done.\n*CARRY ON.*", false, true, ""},
		"case 39: inside a sentence":                {"I would say RESET here.", false, false, "neither"},
		"case 39: quoted beside the other word":     {"You asked for RESET or\nsomething else.\nCARRY ON", false, true, ""},
		"case 40: both words":                       {"I cannot tell.\nRESET\nCARRY ON", false, true, "both"},
		"case 40: a field that says no":             {"I will not answer\nRESET\nverdict: no", false, true, `"verdict: no"`},
		"case 40: a field in JSON":                  {"{\"reset\": false}\nRESET", false, true, "false"},
		"case 40: a field in other words":           {"**Decision**: carry on\nRESET", false, true, "carry"},
		"case 100: the word beside its explanation": {"The notes say RESET: that is text of a file.\nCARRY ON", false, true, ""},
		"another language":                          {"上下文应当重置。", false, false, "neither"},
		"in small letters":                          {"reset", false, false, "neither"},
		"with more behind it":                       {"RESET now", false, false, "neither"},
		"as a field":                                {"verdict: RESET", false, false, "neither"},
		"a heading":                                 {"# RESET", false, false, "neither"},
		"a quotation":                               {"> RESET", false, false, "neither"},
		"nothing":                                   {" \n\n", false, false, "empty"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := memory.ReadVerdict(tt.answer)
			if got.Reset != tt.reset || got.Strict != tt.strict || (got.Problem == "") != (tt.problem == "") || !strings.Contains(got.Problem, tt.problem) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestAVerdictKeepsItsReason(t *testing.T) {
	got := memory.ReadVerdict("Twelve of the files\nwere rewritten since.\n\n`RESET`\n")
	if got.Reason != "Twelve of the files were rewritten since." {
		t.Errorf("reason = %q", got.Reason)
	}
	got = memory.ReadVerdict(strings.Repeat("long ", 10_000) + "\nRESET")
	if most := (limit.Set{}).Int(limit.VerdictReason); !got.Reset || len(got.Reason) > most+len("…") {
		t.Errorf("reason has %d bytes", len(got.Reason))
	}
}

func TestASummaryEndsWithItsWords(t *testing.T) {
	tests := map[string]struct {
		answer        string
		done, nothing bool
	}{
		"the notes are done":            {"I noted the build.\n\nNOTES DONE\n", true, false},
		"dressed up":                    {"**`NOTES DONE`**.", true, false},
		"case 28: nothing to add":       {"NOTHING TO ADD", false, true},
		"case 28: nothing is said":      {"", false, false},
		"in a sentence":                 {"There is NOTHING TO ADD here.", false, false},
		"both, and the edits count":     {"NOTHING TO ADD\nNOTES DONE", true, false},
		"another language":              {"没有要补充的。", false, false},
		"case 50: the decider's word":   {"RESET", false, false},
		"small letters are not enough":  {"notes done", false, false},
		"a list item is no line of own": {"- NOTES DONE", false, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if done, nothing := memory.ReadSummary(tt.answer); done != tt.done || nothing != tt.nothing {
				t.Errorf("got %v, %v", done, nothing)
			}
		})
	}
}

func TestADeciderThatCallsToolsIsToldTheWords(t *testing.T) {
	text := memory.AskDeciderAgain()
	if !strings.Contains(text, "needs no tools") || !strings.Contains(text, "RESET or CARRY ON") {
		t.Error(text)
	}
	if got := memory.ReadVerdict(text); got.Reset {
		t.Errorf("repeated, it counts: %+v", got)
	}
}

func FuzzReadVerdict(f *testing.F) {
	for _, s := range []string{"RESET", "**RESET.**\nverdict: no", "CARRY ON", "`RESET`\r\nCARRY ON", "\xff\nRESET"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := memory.ReadVerdict(text)
		switch {
		case got.Reset && (got.Problem != "" || !got.Strict):
			t.Errorf("%+v counts", got)
		case got.Reset && !strings.Contains(text, "RESET"):
			t.Error("a new window that nobody asked for")
		case !got.Strict && got.Problem == "":
			t.Errorf("%+v has no problem", got)
		case !utf8.ValidString(got.Reason + got.Problem), len(got.Reason) > 504, strings.Contains(got.Reason, "\n"):
			t.Errorf("reason = %q", got.Reason)
		}
		if memory.ReadVerdict(text + "\nCARRY ON").Reset {
			t.Error("both words count")
		}
		if memory.ReadVerdict(text + "\nverdict: no\n").Reset {
			t.Error("a field that says no does not count")
		}
	})
}
