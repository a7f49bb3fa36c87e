package session_test

import (
	"bytes"
	"testing"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/session"
)

// fuzz reads anything as one form, as lines and as a document, and checks the
// laws. The seeds are the samples of that form.
func fuzz(f *testing.F, format session.Format) {
	for name, of := range samples {
		if of == format {
			f.Add(sample(f, name))
		}
	}
	set := limit.Set{limit.SessionKinds.Name: 16, limit.SessionUnread.Name: 4}
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, lines := range []bool{true, false} {
			var kept []session.Kept
			keep := func(k session.Kept) error { kept = append(kept, k); return nil }
			rec, err := session.ReadAs(format, bytes.NewReader(file), lines, set, keep)
			if err != nil {
				t.Fatal(err)
			}
			checkLaws(t, rec)
			checkKept(t, rec, kept)
		}
	})
}

func FuzzCodex(f *testing.F)        { fuzz(f, session.Codex) }
func FuzzCodexOld(f *testing.F)     { fuzz(f, session.CodexOld) }
func FuzzCodexExec(f *testing.F)    { fuzz(f, session.CodexExec) }
func FuzzClaudeCode(f *testing.F)   { fuzz(f, session.ClaudeCode) }
func FuzzGeminiChat(f *testing.F)   { fuzz(f, session.GeminiChat) }
func FuzzGeminiSaved(f *testing.F)  { fuzz(f, session.GeminiSaved) }
func FuzzGeminiStream(f *testing.F) { fuzz(f, session.GeminiStream) }
func FuzzQwenCode(f *testing.F)     { fuzz(f, session.QwenCode) }
func FuzzPi(f *testing.F)           { fuzz(f, session.Pi) }
func FuzzDroid(f *testing.F)        { fuzz(f, session.Droid) }
func FuzzCursor(f *testing.F)       { fuzz(f, session.Cursor) }
func FuzzCopilot(f *testing.F)      { fuzz(f, session.Copilot) }
func FuzzKimi(f *testing.F)         { fuzz(f, session.Kimi) }
func FuzzOpenCode(f *testing.F)     { fuzz(f, session.OpenCode) }
func FuzzOpenCodeDoc(f *testing.F)  { fuzz(f, session.OpenCodeDoc) }
func FuzzOpenHands(f *testing.F)    { fuzz(f, session.OpenHands) }
func FuzzSWEAgent(f *testing.F)     { fuzz(f, session.SWEAgent) }
func FuzzMiniSWEAgent(f *testing.F) { fuzz(f, session.MiniSWEAgent) }
func FuzzOpenAIChat(f *testing.F)   { fuzz(f, session.OpenAIChat) }

// FuzzRead looks for the form first.
func FuzzRead(f *testing.F) {
	for name := range samples {
		f.Add(sample(f, name))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if rec, err := session.Read(bytes.NewReader(file), nil); err == nil {
			checkLaws(t, rec)
		}
	})
}
