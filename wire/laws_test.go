package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

// anyText is text with everything that is hard about text.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", " ", "\xff", "\xe2\x82", "\u2028", "\x00\x1f", `"}]}`, "</think>", "👩‍👩‍👧",
	}))
}

// anyEntries draws a thread: user inputs, fragments and steps with calls, whose
// outputs come in any order, some of them missing.
func anyEntries(t *rapid.T, w longrein.Wire) []longrein.Entry {
	var out []longrein.Entry
	for step := range int64(rapid.IntRange(0, 6).Draw(t, "turns")) {
		out = append(out, longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: anyText().Draw(t, "input")}})
		if rapid.Bool().Draw(t, "fragment") {
			out = append(out, longrein.Entry{Item: longrein.Fragment{Tag: "environment", Role: longrein.RoleDeveloper, Text: anyText().Draw(t, "body")}})
		}
		out = append(out, anyStep(t, w, step+1)...)
	}
	return out
}

func anyStep(t *rapid.T, w longrein.Wire, step int64) []longrein.Entry {
	var made, outputs []longrein.Item
	if rapid.Bool().Draw(t, "thinks") {
		made = append(made, longrein.Reasoning{
			Text: "t", Wire: w, Model: rapid.SampledFrom([]string{"m-1", "m-2"}).Draw(t, "model"),
			Raw: json.RawMessage(rapid.SampledFrom([]string{`{"type":"thinking"}`, "", "{"}).Draw(t, "raw")),
		})
	}
	if rapid.Bool().Draw(t, "speaks") {
		made = append(made, longrein.Message{Role: longrein.RoleAssistant, Text: anyText().Draw(t, "answer")})
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "calls") {
		id := string(rune('a'+step)) + string(rune('0'+i))
		made = append(made, longrein.ToolCall{ID: id, Name: "f", Args: anyText().Draw(t, "args")})
		outputs = append(outputs, longrein.ToolOutput{CallID: id, Text: anyText().Draw(t, "output"), Status: longrein.OutputOK})
	}
	if len(outputs) > 0 {
		outputs = rapid.Permutation(outputs).Draw(t, "order")
	}
	var out []longrein.Entry
	for _, it := range append(made, outputs...) {
		out = append(out, longrein.Entry{Step: step, Item: it})
	}
	return out
}

func anyWire(t *rapid.T) longrein.Wire { return rapid.SampledFrom(wires).Draw(t, "wire") }

func TestLawGroupsKeepEveryEntryAndCallOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := anyEntries(t, longrein.WireChat)
		var calls, answered []string
		n := 0
		for g := range Groups(entries) {
			n += len(g)
			for _, e := range g {
				if e.Step != g[0].Step || kindOf(e.Item) != kindOf(g[0].Item) {
					t.Fatalf("a group mixes %v and %v", g[0], e)
				}
				switch it := e.Item.(type) {
				case longrein.ToolCall:
					calls = append(calls, it.ID)
				case longrein.ToolOutput:
					answered = append(answered, it.CallID)
				}
			}
		}
		if n != len(entries) {
			t.Fatalf("the groups hold %d entries, want %d", n, len(entries))
		}
		if diff := cmp.Diff(calls, answered); diff != "" {
			t.Fatalf("calls and outputs are in different orders:\n%s", diff)
		}
	})
}

func TestLawEveryBodyIsJSONAndUTF8(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyWire(t)
		h := head(w)
		h.Base = anyText().Draw(t, "base")
		h.Settings.Dialect = longrein.Dialect{
			SystemRole: rapid.Bool().Draw(t, "system"), DigitIDs: rapid.Bool().Draw(t, "digits"),
			EchoReasoning: rapid.SampledFrom([]string{"", "reasoning"}).Draw(t, "echo"),
		}
		b := body(h, anyEntries(t, w), rapid.IntRange(-1, 8).Draw(t, "marked"))
		if !json.Valid(b) || !utf8.Valid(b) {
			t.Fatalf("not JSON in UTF-8: %q", b)
		}
	})
}

func TestLawARequestBeginsWithTheOneBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := head(anyWire(t))
		entries := anyEntries(t, h.Settings.Wire)
		if len(entries) == 0 {
			return
		}
		cut := rapid.IntRange(0, len(entries)).Draw(t, "cut")
		for cut < len(entries) && cut > 0 && entries[cut].Step != 0 { // a request ends with a step
			cut++
		}
		before := bytes.TrimSuffix(body(h, entries[:cut]), []byte("]}"))
		if after := body(h, entries); !bytes.HasPrefix(after, before) {
			t.Fatalf("\n%s\ndoes not begin with\n%s", after, before)
		}
	})
}

func TestLawMessagesHoldNoBlankText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := head(longrein.WireMessages)
		h.Base = anyText().Draw(t, "base")
		var got struct {
			System   []struct{ Text string }
			Messages []struct {
				Content []struct{ Type, Text string }
			}
		}
		if err := json.Unmarshal(body(h, anyEntries(t, longrein.WireMessages)), &got); err != nil {
			t.Fatal(err)
		}
		for _, m := range got.Messages {
			if len(m.Content) == 0 || m.Content[len(m.Content)-1].Type == "thinking" {
				t.Fatalf("a message is empty or ends in reasoning: %v", m)
			}
			for _, c := range m.Content {
				if c.Type == "text" && strings.TrimSpace(c.Text) == "" {
					t.Fatalf("a text is blank: %v", m)
				}
			}
		}
	})
}

func FuzzQuoteIsWhatTheReaderGets(f *testing.F) {
	for _, s := range []string{"", "a", "\"\\\n\r\t\b", "\xff\xc0", "\u2028<>&", "日本\x7f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		if err := json.Unmarshal(quote(nil, s), &got); err != nil {
			t.Fatalf("quote(%q): %v", s, err)
		}
		if want := strings.Map(func(r rune) rune { return r }, s); got != want {
			t.Errorf("quote(%q) reads as %q, want %q", s, got, want)
		}
	})
}

func FuzzArgumentsStayAnObject(f *testing.F) {
	for _, s := range []string{"", "{}", "{", "[]", `{"a":"\xff"}`, " {} "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got map[string]any
		if err := json.Unmarshal([]byte(jsonObject(s)), &got); err != nil || got == nil {
			t.Errorf("jsonObject(%q) is no object: %v", s, err)
		}
	})
}
