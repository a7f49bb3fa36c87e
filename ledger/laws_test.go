package ledger_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// texts are made of what the rules look for, and of anything.
func texts() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{
		"never ", "must ", "Use tabs. ", "a.go", "/work/", "b/c.go ", "PORT=8080 ", "8080", "4711 ", "https://x.test/1 ", "3f2a9c1 ", "\n", "- ",
		"```\n", "+", "*** Begin Patch\n", "*** Update File: ", "*** Move to: ", "*** Delete File: ", "v1.2", "\\", "é", "\xff", " ", ": ", "&&", "grep x",
	})
	return rapid.OneOf(rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "pieces"), "")
	}), rapid.String())
}

func bodies() *rapid.Generator[longrein.Body] {
	ids := rapid.SampledFrom([]string{"1", "2", "3", "\xff", ""})
	item := func(it longrein.Item) longrein.Body { return longrein.Appended{Entry: longrein.Entry{Item: it}} }
	return rapid.Custom(func(t *rapid.T) longrein.Body {
		text := texts().Draw(t, "text")
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0:
			return longrein.Thread{Cwd: rapid.SampledFrom([]string{"/work", "/", "", "\xff"}).Draw(t, "cwd")}
		case 1:
			return item(longrein.Message{Role: longrein.RoleUser, Text: text})
		case 2:
			return item(longrein.Message{Role: longrein.RoleAssistant, Text: text})
		case 3, 4:
			return item(aCall(t, ids.Draw(t, "id"), text))
		case 5, 6:
			return item(anOutput(t, ids.Draw(t, "id"), text))
		case 7:
			return longrein.Approval{Tool: "t", Action: text, State: rapid.SampledFrom([]longrein.ApprovalState{"asked", "allowed", "refused", "?"}).Draw(t, "state")}
		}
		return longrein.Window{Head: []longrein.Entry{{Item: longrein.Message{Role: longrein.RoleUser, Text: text}}}}
	})
}

func aCall(t *rapid.T, id, text string) longrein.ToolCall {
	name := rapid.SampledFrom([]string{"exec_command", "read_file", "apply_patch", "update_plan", "other"}).Draw(t, "tool")
	args := text
	if rapid.Bool().Draw(t, "valid") {
		status := rapid.SampledFrom([]string{"pending", "in_progress", "completed", "x"}).Draw(t, "status")
		b, _ := json.Marshal(map[string]any{"command": text, "path": text, "patch": text, "plan": []map[string]string{{"step": text, "status": status}}})
		args = string(b)
	}
	return longrein.ToolCall{ID: id, Name: name, Args: args}
}

func anOutput(t *rapid.T, id, text string) longrein.ToolOutput {
	out := longrein.ToolOutput{CallID: id, Text: text}
	out.Status = rapid.SampledFrom([]longrein.OutputStatus{"ok", "failed", "refused", "unknown", "?"}).Draw(t, "status")
	if rapid.Bool().Draw(t, "exit") {
		exit := rapid.IntRange(0, 2).Draw(t, "code")
		out.Exit = &exit
	}
	if rapid.Bool().Draw(t, "files") {
		op := rapid.SampledFrom([]longrein.FileOp{"read", "changed", "deleted", "?"}).Draw(t, "op")
		out.Files = []longrein.FileTouch{{Path: texts().Draw(t, "path"), Op: op, Hash: text}}
	}
	return out
}

func logs() *rapid.Generator[[]longrein.Record] {
	return rapid.Custom(func(t *rapid.T) []longrein.Record {
		s := new(story)
		for _, b := range rapid.SliceOfN(bodies(), 0, 40).Draw(t, "bodies") {
			s.add(b)
		}
		return s.records
	})
}

// limits are narrow or as usual.
func limits() *rapid.Generator[limit.Set] {
	return rapid.SampledFrom([]limit.Set{nil, {
		limit.LedgerFiles.Name: 10, limit.LedgerCalls.Name: 10, limit.LedgerConstraints.Name: 1, limit.LedgerRequests.Name: 1 << 10, limit.LedgerApprovals.Name: 1,
		limit.LedgerValues.Name: 1, limit.LedgerCandidates.Name: 8, limit.LedgerPlan.Name: 1, limit.LedgerLine.Name: 40, limit.Calls.Name: 1,
	}})
}

func encoded(t rapid.TB, l *ledger.Ledger) []byte {
	t.Helper()
	b, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFoldingInPartsIsFoldingAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, set := logs().Draw(t, "log"), limits().Draw(t, "limits")
		at := rapid.IntRange(0, len(records)).Draw(t, "cut")
		whole := fold(records, set)
		parts := new(ledger.Ledger)
		if err := json.Unmarshal(encoded(t, fold(records[:at], set)), parts); err != nil {
			t.Fatal(err)
		}
		for _, r := range records[max(at-1, 0):] { // one of them again
			parts.Note(r, set)
		}
		if a, b := encoded(t, whole), encoded(t, parts); !bytes.Equal(a, b) {
			t.Fatalf("at once\n%s\nin parts\n%s", a, b)
		}
		if whole.Full() != parts.Full() {
			t.Fatal("the documents differ")
		}
	})
}

func TestCompactIsWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := fold(logs().Draw(t, "log"), limits().Draw(t, "limits"))
		most := rapid.IntRange(-1, 3_000).Draw(t, "most")
		text, left := l.Compact(most)
		if len(text) > max(most, 0) || left < 0 || !utf8.ValidString(text) {
			t.Fatalf("%d bytes of %d, %d left: %q", len(text), most, left, text)
		}
		whole, none := l.Compact(1 << 20)
		if none != 0 || left == 0 && text != whole {
			t.Fatalf("%d bytes left out of\n%s\n%d of\n%s", none, whole, left, text)
		}
	})
}

func TestWhatIsAddedIsVisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := fold(logs().Draw(t, "log"), limits().Draw(t, "limits"))
		probes := l.Probes(0)
		whole, _ := l.Compact(1 << 20)
		if missing := ledger.Missing(probes, whole); len(missing) > 0 {
			t.Fatalf("%v is not in\n%s", missing, whole)
		}
		head := ""
		for _, p := range probes {
			head += p.Line + "\n"
			if !p.In(head) || p.In("") {
				t.Fatalf("%v is not visible in %q", p, head)
			}
		}
	})
}

func TestWhatLeavesATableStaysInOrder(t *testing.T) {
	l := fold(work(3_000, 300), limit.Set{limit.LedgerFiles.Name: 50, limit.LedgerCandidates.Name: 20})
	again := new(ledger.Ledger)
	if err := json.Unmarshal(encoded(t, l), again); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encoded(t, l), encoded(t, again)) || l.Full() != again.Full() {
		t.Error("a ledger that was read again differs")
	}
}

func TestALongThreadsLedgerIsSmall(t *testing.T) {
	if n := len(encoded(t, fold(work(334, 3_000), nil))); n > 100_000 {
		t.Errorf("after 1,000 calls it has %d bytes", n)
	}
}

// What people, models and programs write can be anything.
func FuzzNote(f *testing.F) {
	f.Add("You must use port 8080, e.g. PORT=8080.\n- never https://x.test/1:2\n```\n", `{"command":"echo \u0041\\","patch":"+v1.2"}`)
	f.Fuzz(func(t *testing.T, text, args string) {
		s := new(story).user(text).run(text, 1, text).says(text)
		s.item(longrein.ToolCall{ID: text, Name: "apply_patch", Args: args}).item(longrein.ToolOutput{CallID: text, Text: args, Status: longrein.OutputFailed})
		l, again := fold(s.records, nil), new(ledger.Ledger)
		if err := json.Unmarshal(encoded(t, l), again); err != nil || l.Full() != again.Full() {
			t.Errorf("read again: %v\n%s\n%s", err, l.Full(), again.Full())
		}
	})
}
