package memory

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/patch"
)

// Index returns a line for each item that a summarizer can cite, such as
// "#415 exec_command go test ./... -> failed, 2.1 kB". A call and its output share
// one, under the output's number. Reasoning, fragments and what has no number are
// left out. Of more than limit.NotesIndex the oldest share the first line.
func Index(entries []longrein.Entry) []string {
	calls := map[string]longrein.ToolCall{}
	answered := map[string]bool{}
	for _, e := range entries {
		switch it := e.Item.(type) {
		case longrein.ToolCall:
			calls[it.ID] = it
		case longrein.ToolOutput:
			answered[it.CallID] = true
		}
	}
	var lines []string
	var seqs []int64
	for _, e := range entries {
		call, ok := e.Item.(longrein.ToolCall)
		what := outline(e.Item, calls)
		if e.Seq == 0 || what == "" || ok && answered[call.ID] {
			continue
		}
		lines = append(lines, fmt.Sprintf("#%d %s", e.Seq, what))
		seqs = append(seqs, e.Seq)
	}
	older := len(lines) - limit.Set{}.Int(limit.NotesIndex)
	if older <= 0 {
		return lines
	}
	first := fmt.Sprintf("#%d-#%d: %d older items", seqs[0], seqs[older-1], older)
	return append([]string{first}, lines[older:]...)
}

// outline says what an item is, "" for what has no line.
func outline(it longrein.Item, calls map[string]longrein.ToolCall) string {
	most := limit.Set{}.Int(limit.NotesIndexLine)
	switch it := it.(type) {
	case longrein.Message:
		return string(it.Role) + ": " + clip(oneLine(it.Text), most)
	case longrein.ToolCall:
		return clip(summary(it), most) + " -> no output yet"
	case longrein.ToolOutput:
		what := "output"
		if call, ok := calls[it.CallID]; ok {
			what = clip(summary(call), most)
		}
		return fmt.Sprintf("%s -> %s, %s", what, ended(it), size(len(it.Text)))
	}
	return ""
}

// ended says how a call ended.
func ended(out longrein.ToolOutput) string {
	if out.Exit != nil && *out.Exit != 0 {
		return fmt.Sprintf("%s, exit %d", out.Status, *out.Exit)
	}
	return string(out.Status)
}

// summary is a call in one line: its tool, and the argument that says most.
func summary(call longrein.ToolCall) string {
	var args map[string]any
	_ = json.Unmarshal([]byte(call.Args), &args) // what cannot be read is shown as it is
	for _, key := range []string{"command", "path", "pattern", "patch", "id"} {
		if s, ok := args[key].(string); ok {
			return toolName(call.Name) + " " + oneLine(changes(key, s))
		}
	}
	return strings.TrimSpace(toolName(call.Name) + " " + oneLine(call.Args))
}

// changes names the files that a patch changes; other arguments stay.
func changes(key, arg string) string {
	p, err := patch.Parse(arg)
	if key != "patch" || err != nil {
		return arg
	}
	return strings.Join(p.Paths(), ", ")
}

// toolName is a tool's name as the model wrote it, in one short word.
func toolName(name string) string { return clip(oneLine(name), 40) } // fixed: tools have shorter names

// Signature lets a model find an item again: its first and last words. It is for
// orientation; nothing is cut by it.
func Signature(e longrein.Entry) string {
	const most = 60 // fixed: it finds an item, which is in the context
	text := ""
	switch it := e.Item.(type) {
	case longrein.Message:
		text = it.Text
	case longrein.Reasoning:
		text = it.Text
	case longrein.ToolCall:
		text = it.Name + " " + it.Args
	case longrein.ToolOutput:
		text = it.Text
	case longrein.Fragment:
		text = it.Text
	}
	text = oneLine(text)
	if len(text) <= 2*most {
		return text
	}
	end := text[len(text)-most:]
	if i := strings.IndexByte(end, ' '); i >= 0 {
		end = end[i+1:]
	}
	return head(text, most) + " ... " + strings.ToValidUTF8(end, "")
}

// oneLine puts a text into one line, in which nothing ends a tag of ours.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "</", "< /")
}

// clip cuts a text after at most n bytes, and shows that it did.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return head(text, n) + "…"
}

// head is a text's first n bytes without a torn character or, if there is a space
// in their second half, word.
func head(text string, n int) string {
	text = strings.ToValidUTF8(text[:n], "")
	if i := strings.LastIndexByte(text, ' '); i > n/2 {
		text = text[:i]
	}
	return text
}
