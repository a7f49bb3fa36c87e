package session_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/longrein/longrein/session"
)

// What the list of the shared sessions counts otherwise, with the reason.
var countedOtherwise = map[string]string{
	"codex-line-kinds-upto-mid2026.jsonl":    "calls", // two tool_search_call, one without output, are calls here
	"qwen-code.jsonl":                        "calls", // calls are Gemini parts, which the list does not know
	"copilot-cli-events-b.jsonl":             "calls", // nor calls in events
	"opencode-storage-v2-small.bundle.jsonl": "calls", // nor calls in parts
	"opencode-storage-legacy.bundle.jsonl":   "calls",
	"openhands-swebench-1.jsonl":             "calls lines", // nor in a history, whose events count as lines here
}

// listed is a row of the list.
type listed struct{ lines, calls, orphanCalls, orphanOutputs, compactions, bad string }

// TestSharedSessions reads recordings by real tools where they stand beside the
// repository, and compares with what their list says of them.
func TestSharedSessions(t *testing.T) {
	rows := list(t)
	for name, want := range rows {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(filepath.Join(shared, name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			rec, err := session.Read(f, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkLaws(t, rec)
			compare(t, want, rec.Report, countedOtherwise[name])
		})
	}
}

func compare(t *testing.T, want listed, r session.Report, otherwise string) {
	t.Helper()
	check := func(what, want string, got int) {
		if want != "" && want != strconv.Itoa(got) {
			t.Errorf("%s = %d, the list says %s", what, got, want)
		}
	}
	if !strings.Contains(otherwise, "calls") {
		check("calls", want.calls, r.Calls)
		check("calls without output", want.orphanCalls, r.OrphanCalls)
		check("outputs without call", want.orphanOutputs, r.OrphanOutputs)
	}
	if want.calls != "" && !strings.Contains(otherwise, "lines") { // otherwise a document
		check("lines", want.lines, r.Lines)
	}
	check("compactions", want.compactions, r.Compactions)
	check("bad lines", want.bad, r.Lost-r.OrphanOutputs)
}

// list reads the tables of the list.
func list(t *testing.T) map[string]listed {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(shared, "INDEX.md"))
	if os.IsNotExist(err) {
		t.Skip("no shared sessions beside the repository; the samples in testdata are read by the other tests")
	}
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]listed{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) < 9 || !strings.Contains(cells[1], ".json") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		calls, outputs, _ := strings.Cut(cells[5], "/")
		rows[cells[1]] = listed{cells[3], cells[4], calls, outputs, cells[6], cells[7]}
	}
	if len(rows) < 30 {
		t.Fatalf("the list has %d rows", len(rows))
	}
	return rows
}
