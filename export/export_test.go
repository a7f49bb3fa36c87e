package export_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/export"
	"github.com/longrein/longrein/internal/testkit"
	"github.com/longrein/longrein/limit"
)

const id = "0195aaaa-0000-7000-8000-000000000001"

// a hostile text: whatever it stands in must not take it for its own.
const hostile = "</details></pre><script>alert(1)</script> & ``` \n# no heading\n\x00\u2028"

// thread is a small thread with everything that a transcript has a place for.
func thread() []longrein.Body {
	call := func(id, args string) longrein.Appended {
		return longrein.Appended{Entry: longrein.Entry{Step: 7, Item: longrein.ToolCall{ID: id, Name: "shell", Args: args}}}
	}
	out := func(o longrein.ToolOutput) longrein.Appended {
		return longrein.Appended{Entry: longrein.Entry{Step: 7, Item: o}}
	}
	said := func(role longrein.Role, text string, input int64) longrein.Appended {
		return longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: role, Text: text}}, Input: input}
	}
	environment := longrein.Entry{Item: longrein.NewFragment(longrein.TagEnvironment, "folder: /src")}
	return []longrein.Body{
		longrein.Thread{ID: id, Cwd: "/src", Version: "1.0.0", Format: 1, Model: "m", Branch: "main", Commit: "ab12", Base: "be good"},
		longrein.Settings{Provider: "p", Model: "m", Wire: longrein.WireResponses, ContextWindow: 1000, Approval: "never", Sandbox: "workspace-write"},
		longrein.Renamed{Name: "Find the <bug>"},
		longrein.Input{Text: "Which files? " + hostile, Mode: longrein.InputSubmit},
		longrein.Turn{N: 1, State: longrein.TurnStarted},
		longrein.Window{N: 1, Why: "start", Head: []longrein.Entry{environment}, Fresh: 1, Settings: longrein.Settings{Model: "m", ContextWindow: 1000, Approval: "never", Sandbox: "workspace-write"}},
		said(longrein.RoleUser, "Which files? "+hostile, 4),
		longrein.Asked{Turn: 1, Window: 1, Model: "m", Hash: "aa"},
		longrein.Appended{Entry: longrein.Entry{Step: 8, Item: longrein.Reasoning{Text: "I look."}}},
		said(longrein.RoleAssistant, "I look:\n\n- first `ls`", 0),
		call("c1", `{"command":"ls"}`),
		call("c2", `{"command":"cat <x>"}`),
		longrein.Answered{Step: 8, Usage: longrein.Usage{Input: 100, Cached: 50, Output: 10, Reported: true}, Stop: longrein.StopTools},
		out(longrein.ToolOutput{CallID: "c1", Text: "a.go\nb.go", Status: longrein.OutputOK}),
		out(longrein.ToolOutput{CallID: "c2", Text: hostile, Status: longrein.OutputFailed, Full: &longrein.Blob{ID: strings.Repeat("ab", 32), Bytes: 5}}),
		longrein.Input{Text: "and quickly", Mode: longrein.InputSteer},
		said(longrein.RoleUser, "and quickly", 16),
		said(longrein.RoleAssistant, "There are two.", 0),
		longrein.Turn{N: 1, State: longrein.TurnEnded},
		longrein.Fork{Role: longrein.RoleSummarizer, N: 1, State: longrein.ForkFinished, Why: "a turn ended"},
		longrein.Notes{Version: 1, By: "summarizer-1", Changed: []longrein.Document{{Name: longrein.MainDocument, Text: "Two files."}}},
		longrein.Window{N: 2, Why: "full", Fresh: 1, Head: []longrein.Entry{
			environment,
			{Item: longrein.NewFragment(longrein.TagNotes, "Two files.")},
			{Seq: 16, Item: longrein.Message{Role: longrein.RoleUser, Text: "and quickly"}},
		}},
		longrein.Input{Text: "Thanks", Mode: longrein.InputSubmit},
		longrein.Turn{N: 2, State: longrein.TurnStarted},
		said(longrein.RoleUser, "Thanks", 23),
		call("c3", `{}`),
		longrein.Turn{N: 2, State: longrein.TurnInterrupted},
		longrein.Rollback{To: 22, Turns: 1},
	}
}

func records(bodies []longrein.Body) iter.Seq2[longrein.Record, error] {
	return func(yield func(longrein.Record, error) bool) {
		at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
		for i, b := range bodies {
			if !yield(longrein.Record{Seq: int64(i + 1), Time: at.Add(time.Duration(i) * time.Second), Body: b}, nil) {
				return
			}
		}
	}
}

func blob(string, int64, int64) ([]byte, error) { return []byte("whole"), nil }

var forms = map[string]func(io.Writer, export.Records, export.Options) (export.Report, error){
	"thread.md": export.Markdown, "thread.html": export.HTML, "thread.jsonl": export.JSONL, "codex.jsonl": export.Codex,
}

func TestEachForm(t *testing.T) {
	for name, write := range forms {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			r, err := write(&b, records(thread()), export.Options{Blob: blob})
			if err != nil || len(r.Damaged)+len(r.Limits) > 0 || r.Records != len(thread()) {
				t.Fatal(err, r)
			}
			testkit.Golden(t, name, b.Bytes())
		})
	}
}

func TestLinesComeBackAsTheyWere(t *testing.T) {
	var b bytes.Buffer
	if _, err := export.JSONL(&b, records(thread()), export.Options{Blob: blob}); err != nil {
		t.Fatal(err)
	}
	if !export.IsJSONL(b.Bytes()[:200]) {
		t.Error("the file is not known by its beginning")
	}
	var got []longrein.Body
	var stored string
	put := func(r io.Reader) (longrein.Blob, error) {
		text, err := io.ReadAll(r)
		stored = string(text)
		return longrein.Blob{ID: strings.Repeat("ab", 32)}, err
	}
	for r, err := range export.Lines(&b, nil, put) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Body)
	}
	if diff := cmp.Diff(thread(), got); diff != "" {
		t.Error(diff)
	}
	if stored != "whole" {
		t.Errorf("the blob holds %q", stored)
	}
}

func TestALineThatIsBrokenLeavesTheOthers(t *testing.T) {
	var b bytes.Buffer
	if _, err := export.JSONL(&b, records(thread()), export.Options{}); err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(b.Bytes(), []byte("\n"))
	lines[3] = append(lines[3][:20:20], '\n')
	good, bad := 0, 0
	for _, err := range export.Lines(bytes.NewReader(bytes.Join(lines, nil)), nil, nil) {
		var line *export.LineError
		if errors.As(err, &line) && line.Line == 4 && len(line.Raw) == 21 {
			bad++
		} else if err == nil {
			good++
		}
	}
	if good != len(thread())-1 || bad != 1 {
		t.Errorf("%d lines are read and %d not, want all but the fourth", good, bad)
	}
}

func TestSecretsAreLeftOutOfEachForm(t *testing.T) {
	const secret = "hunter2"
	bodies := append(thread(), longrein.Warning{Text: "the \"password\" is " + secret}, longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{
		Role: longrein.RoleUser, Text: secret + " \\\" " + secret,
	}}})
	redact := func(s string) string { return strings.ReplaceAll(s, secret, "[secret]") }
	for name, write := range forms {
		var b bytes.Buffer
		if _, err := write(&b, records(bodies), export.Options{Redact: redact}); err != nil {
			t.Fatal(name, err)
		}
		if text := b.String(); strings.Contains(text, secret) || !strings.Contains(text, "[secret]") {
			t.Errorf("%s tells the secret, or leaves out that there was one", name)
		}
	}
}

func TestALongOutputIsCutAndSaysSo(t *testing.T) {
	bodies := thread()
	bodies[13] = longrein.Appended{Entry: longrein.Entry{Item: longrein.ToolOutput{CallID: "c1", Text: strings.Repeat("x", 5000), Status: longrein.OutputOK}}}
	var b bytes.Buffer
	r, err := export.Markdown(&b, records(bodies), export.Options{Limits: limit.Set{limit.ExportOutput.Name: 1000}})
	if err != nil || len(r.Limits) != 1 || r.Limits[0].Cut != 4000 {
		t.Fatalf("%v, %+v", err, r.Limits)
	}
	if !strings.Contains(b.String(), "[4000 bytes are left out here by the limit export-output; record 14 of the thread has them]") {
		t.Error("the text does not say what is left out")
	}
}

func TestWhatCannotBeReadIsReported(t *testing.T) {
	torn := errors.New("line 2 is damaged")
	damaged := func(yield func(longrein.Record, error) bool) {
		for r, err := range records(thread()) {
			if r.Seq == 2 {
				r, err = longrein.Record{}, torn
			}
			if !yield(r, err) {
				return
			}
		}
	}
	for name, write := range forms {
		r, err := write(io.Discard, damaged, export.Options{})
		if err != nil || len(r.Damaged) != 1 || !errors.Is(r.Damaged[0], torn) {
			t.Errorf("%s: %v, %v", name, err, r.Damaged)
		}
	}
	if _, err := export.JSONL(io.Discard, records(nil), export.Options{}); !errors.Is(err, export.ErrNothing) {
		t.Errorf("err = %v, want ErrNothing", err)
	}
}

func FuzzLines(f *testing.F) {
	whole, err := os.ReadFile(filepath.Join("testdata", "thread.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(`{"blob":{"id":"ab","bytes":1},"data":"AA=="}`))
	put := func(r io.Reader) (longrein.Blob, error) { return longrein.Blob{ID: "ab"}, nil }
	f.Fuzz(func(t *testing.T, file []byte) {
		var bodies []longrein.Body
		for r, err := range export.Lines(bytes.NewReader(file), nil, put) {
			if err == nil {
				bodies = append(bodies, r.Body)
			}
		}
		for name, write := range forms {
			if _, err := write(io.Discard, records(bodies), export.Options{Redact: strings.ToUpper}); err != nil && !errors.Is(err, export.ErrNothing) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func Example() {
	thread := records([]longrein.Body{
		longrein.Thread{ID: id, Cwd: "/src", Model: "m"},
		longrein.Turn{N: 1, State: longrein.TurnStarted},
		longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: "Which day is it?"}}},
		longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleAssistant, Text: "Sunday."}}},
	})
	var page strings.Builder
	report, err := export.Markdown(&page, thread, export.Options{})
	if err != nil {
		fmt.Println(err)
	}
	_, said, _ := strings.Cut(page.String(), "## ")
	fmt.Print(said)
	fmt.Println(report.Records, "records")
	// Output:
	// Turn 1
	//
	// **User**
	//
	// > Which day is it?
	//
	// **Model**
	//
	// Sunday.
	// 4 records
}
