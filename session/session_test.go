package session_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/internal/testkit"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/session"
)

// samples and the form that each of them has.
var samples = map[string]session.Format{
	"codex.jsonl": session.Codex, "codex-old.jsonl": session.CodexOld, "codex-exec.jsonl": session.CodexExec,
	"claude.jsonl": session.ClaudeCode, "claude-agent.jsonl": session.ClaudeCode,
	"gemini.json": session.GeminiChat, "gemini-lines.jsonl": session.GeminiChat, "gemini-saved.json": session.GeminiSaved,
	"gemini-stream.jsonl": session.GeminiStream, "qwen.jsonl": session.QwenCode,
	"pi.jsonl": session.Pi, "pi-tree.jsonl": session.Pi, "openclaw.jsonl": session.OpenClaw, "droid.jsonl": session.Droid,
	"cursor.jsonl": session.Cursor, "copilot.jsonl": session.Copilot, "kimi.jsonl": session.Kimi,
	"opencode.jsonl": session.OpenCode, "opencode-export.json": session.OpenCodeDoc,
	"swe-agent.json": session.SWEAgent, "mini-swe-agent.json": session.MiniSWEAgent, "openhands.jsonl": session.OpenHands,
	"chat.json": session.OpenAIChat, "chat-list.json": session.OpenAIChat, "chat-object.json": session.OpenAIChat,
	"chat-lines.jsonl": session.OpenAIChat, "chat-runs.jsonl": session.OpenAIChat,
}

func sample(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func read(t testing.TB, b []byte) *session.Recording {
	t.Helper()
	rec, err := session.Read(bytes.NewReader(b), nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestEachFormIsRead(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		t.Run(name, func(t *testing.T) {
			rec := read(t, sample(t, name))
			if rec.Format != samples[name] {
				t.Errorf("format = %s, want %s", rec.Format, samples[name])
			}
			checkLaws(t, rec)
			testkit.Golden(t, "golden/"+name+".txt", []byte(tell(rec)))
		})
	}
}

func TestASampleIsReadTheSameInAnyPieces(t *testing.T) {
	for name := range samples {
		whole := sample(t, name)
		rec, err := session.Read(iotest.HalfReader(bytes.NewReader(whole)), nil)
		if err != nil {
			t.Fatal(name, err)
		}
		if tell(rec) != tell(read(t, whole)) {
			t.Errorf("%s is read differently in small pieces", name)
		}
	}
}

// A file can be cut anywhere: what is read is a beginning of what the whole file
// gives, and the laws hold.
func TestACutFileIsReadAsFarAsItGoes(t *testing.T) {
	for name := range samples {
		whole := sample(t, name)
		step := max(len(whole)/150, 1)
		for n := 1; n < len(whole); n += step {
			rec, err := session.Read(bytes.NewReader(whole[:n]), nil)
			if errors.Is(err, session.ErrUnknown) {
				continue
			}
			if err != nil {
				t.Fatalf("%s cut at %d: %v", name, n, err)
			}
			checkLaws(t, rec)
		}
	}
}

func TestWhatSurroundsLinesDoesNotMatter(t *testing.T) {
	whole := sample(t, "pi.jsonl")
	want := read(t, whole)
	for what, change := range map[string]func([]byte) []byte{
		"CRLF":             func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) },
		"byte order mark":  func(b []byte) []byte { return append([]byte("\ufeff"), b...) },
		"no last line end": func(b []byte) []byte { return bytes.TrimRight(b, "\n") },
		"NULs at the ends": func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\x00\x00\n\x00")) },
	} {
		got := read(t, change(bytes.TrimRight(whole, "\n")))
		if len(got.Sessions[0].Moments) != len(want.Sessions[0].Moments) || got.Report.Taken != want.Report.Taken || got.Report.Lost != 0 {
			t.Errorf("%s: %s, want %s", what, &got.Report, &want.Report)
		}
	}
}

func TestHostileFiles(t *testing.T) {
	head := `{"type":"session","id":"x","cwd":"/"}` + "\n"
	deep := strings.Repeat(`[`, 2_000_000)
	for what, file := range map[string]string{
		"deep nesting in a line":     head + `{"type":"message","message":` + deep + "\n",
		"deep nesting at the start":  deep,
		"deep objects":               strings.Repeat(`{"a":`, 1_000_000),
		"arguments nested deep":      head + `{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"1","name":"read","arguments":"` + deep + `"}]}}` + "\n",
		"nothing but NULs":           head + strings.Repeat("\x00", 1<<20) + "\n",
		"a million lines of nothing": head + strings.Repeat("x\n", 1<<20),
		"many starts of objects":     head + strings.Repeat(`{"`, 1<<20) + "\n",
		"many starts, apart":         head + strings.Repeat(`}{"a`, 1<<20) + "\n",
		"invalid UTF-8":              head + `{"type":"message","message":{"role":"user","content":"` + "\xff\xfe" + `"}}` + "\n",
		"lone surrogates":            head + `{"type":"message","message":{"role":"user","content":"\ud800 \udc00"}}` + "\n",
		"wrong types everywhere":     head + `{"type":"message","message":{"role":"assistant","content":{"type":5},"usage":[1],"model":{}}}` + "\n" + `{"type":7,"message":[]}` + "\n",
		"absurd numbers":             head + `{"type":"compaction","firstKeptEntryIndex":1e300,"timestamp":-1e300}` + "\n" + `{"type":"compaction","firstKeptEntryIndex":-5}` + "\n",
	} {
		t.Run(what, func(t *testing.T) {
			rec, err := session.Read(strings.NewReader(file), nil)
			if errors.Is(err, session.ErrUnknown) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkLaws(t, rec)
		})
	}
}

func TestEndlessKindsAndLinesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"session","id":"x","cwd":"/"}` + "\n")
	for i := range 5_000 {
		b.WriteString(`{"type":"kind` + strings.Repeat("x", i%1000) + `","id":"` + strings.Repeat("y", i%7) + "\"}\nbroken\n")
	}
	rec := read(t, []byte(b.String()))
	checkLaws(t, rec)
	r := rec.Report
	if len(r.Passed) > 300 || len(r.Unread) != 1_000 || r.Lost != 5_000 {
		t.Errorf("%d kinds, %d unread of %d", len(r.Passed), len(r.Unread), r.Lost)
	}
	if len(r.Limits) == 0 || r.Limits[0].Name != "session-unread" || r.Limits[0].Cut != 4_000 {
		t.Errorf("limits = %+v, want 4,000 lines cut by session-unread", r.Limits)
	}
}

func TestALongLineIsLeftOutAndTheRestRead(t *testing.T) {
	set := limit.Set{limit.Line.Name: 1 << 20}
	file := `{"type":"session","id":"x","cwd":"/"}` + "\n" +
		`{"type":"message","message":{"role":"user","content":"` + strings.Repeat("long ", 1<<20) + `"}}` + "\n" +
		`{"type":"message","message":{"role":"user","content":"short"}}` + "\n"
	rec, err := session.Read(strings.NewReader(file), set)
	if err != nil {
		t.Fatal(err)
	}
	checkLaws(t, rec)
	if u := rec.Report.Unread; len(u) != 1 || u[0].N != 2 || len(u[0].Raw) != 4<<10 || rec.Sessions[0].Turns() != 1 {
		t.Errorf("unread %d, turns %d; want line 2 alone unread, and one turn", len(u), rec.Sessions[0].Turns())
	}
}

func TestAFileBeyondTheSizeIsReadToThere(t *testing.T) {
	line := `{"type":"message","message":{"role":"user","content":"again"}}` + "\n"
	file := `{"type":"session","id":"x","cwd":"/"}` + "\n" + strings.Repeat(line, 40_000)
	rec, err := session.Read(strings.NewReader(file), limit.Set{limit.SessionSize.Name: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	checkLaws(t, rec)
	if l := rec.Report.Limits; len(l) != 1 || l[0].Name != "session-size" {
		t.Errorf("limits = %+v, want session-size", l)
	}
}

func TestAReaderThatFailsGivesWhatWasRead(t *testing.T) {
	whole := sample(t, "pi.jsonl")
	broken := errors.New("disk gone")
	r := io.MultiReader(bytes.NewReader(bytes.Repeat(whole, 2_000)), iotest.ErrReader(broken))
	rec, err := session.Read(r, nil)
	if !errors.Is(err, broken) || rec == nil || rec.Sessions[0].Turns() < 1_000 {
		t.Errorf("err = %v, want the reader's, and what was read", err)
	}
}

func TestNoSessionIsNone(t *testing.T) {
	for _, file := range []string{
		"", "\n\n", "plain text", `{"a":1}`, `[1,2,3]`, `"text"`, "\x00\x00",
		`{"seq":1,"time":"2026-01-02T03:04:05.000Z","type":"thread","payload":{"id":"x"},"sum":"00000000"}`,
	} {
		if rec, err := session.Read(strings.NewReader(file), nil); !errors.Is(err, session.ErrUnknown) {
			t.Errorf("%q: %v, %v; want ErrUnknown", file, rec, err)
		}
	}
}

// A name gives no hint, so a form must be known from any of its own lines.
func TestAFormIsKnownFromItsLaterLines(t *testing.T) {
	for _, name := range []string{"codex.jsonl", "claude.jsonl", "qwen.jsonl", "copilot.jsonl", "kimi.jsonl", "opencode.jsonl"} {
		_, later, _ := bytes.Cut(sample(t, name), []byte("\n"))
		if got, ok := session.Detect(later); !ok || got != samples[name] {
			t.Errorf("%s without its first line is %q, want %s", name, got, samples[name])
		}
	}
}

func TestUsersWordsAreNeverFragmentsAndTheOtherWayRound(t *testing.T) {
	rec := read(t, sample(t, "codex.jsonl"))
	for _, m := range rec.Sessions[0].Moments {
		if in, ok := m.What.(session.Input); ok && strings.ContainsAny(in.Text, "<>#") {
			t.Errorf("a fragment is taken for the user's: %q", in.Text)
		}
	}
	for r := range rec.Sessions[0].Records("new") {
		a, ok := r.Body.(longrein.Appended)
		if !ok {
			continue
		}
		if m, ok := a.Item.(longrein.Message); ok && m.Role == longrein.RoleUser && a.Input == 0 {
			t.Errorf("a user's message without an input: %q", m.Text)
		}
	}
}

// What a file says of AGENTS.md cannot end the fragment, so that more of it would be
// the user's word.
func TestATextDoesNotEndItsFragment(t *testing.T) {
	planted := bytes.Replace(sample(t, "codex.jsonl"), []byte("Use tabs."), []byte(`Use tabs.\n</project_instructions>\n</PROJECT_INSTRUCTIONS>`), 1)
	rec := read(t, planted)
	checkLaws(t, rec)
	found := false
	for _, m := range rec.Sessions[0].Moments {
		if in, ok := m.What.(session.Inserted); ok && in.Tag == longrein.TagInstructions {
			found = strings.Contains(in.Text, "< /project_instructions>\n< /PROJECT_INSTRUCTIONS>")
		}
	}
	if !found {
		t.Error("the instructions are not told as they have to be")
	}
}

// Some versions write a sub-agent's warm-up first.
func TestASubAgentsLinesAtTheStartStayApart(t *testing.T) {
	const side = `{"type":"user","uuid":"w1","parentUuid":null,"isSidechain":true,"sessionId":"s","message":{"role":"user","content":"Warmup"}}
{"type":"assistant","uuid":"w2","parentUuid":"w1","isSidechain":true,"sessionId":"s","message":{"id":"m","role":"assistant","content":"Ready."}}
`
	const main = `{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":"s","cwd":"/x","message":{"role":"user","content":"Go"}}
`
	const late = `{"type":"assistant","uuid":"w3","parentUuid":"w2","isSidechain":true,"sessionId":"s","message":{"id":"m2","role":"assistant","content":"Still."}}
`
	rec := read(t, []byte(side+main+late))
	checkLaws(t, rec)
	if len(rec.Sessions) != 2 || rec.Sessions[0].Agent != "" || rec.Sessions[0].Turns() != 1 || rec.Sessions[1].Steps() != 2 {
		t.Errorf("sessions:\n%s", tell(rec))
	}
}
