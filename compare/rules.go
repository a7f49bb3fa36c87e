package compare

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Bounds of the notes that rules make.
const (
	noteLine  = 240      // bytes of one line
	noteTurn  = 6 << 10  // of one summary
	noteOlder = 48 << 10 // of the document that MAIN.md's oldest lines go to
)

// older is the document that MAIN.md's oldest lines go to.
const older = "topics/earlier.md"

// summarize is a summarizer's answer: the recorded notes, or the lines that rules
// pick of what is new; one patch, and done.
func summarize(a Asking) ([]longrein.Item, string) {
	if len(a.Own) > 1 {
		return speak("NOTES DONE"), Extractive // its patch was done
	}
	lines, by := pick(fresh(a), noteTurn), Extractive
	docs := map[string]string{longrein.MainDocument: text(a, longrein.MainDocument), older: text(a, older)}
	names := []string{longrein.MainDocument, older}
	if a.Recorded != nil {
		by = Recorded
		lines = pick(a.Shared[a.After:], noteTurn)
		for _, d := range a.Recorded.Documents {
			if d.Name == longrein.TodoDocument || d.Name == longrein.LedgerDocument {
				continue // no summarizer's
			}
			if _, known := docs[d.Name]; !known {
				names = append(names, d.Name)
			}
			docs[d.Name] = d.Text
		}
	}
	docs[longrein.MainDocument], docs[older] = overflow(join(docs[longrein.MainDocument], lines), docs[older])
	var patch strings.Builder
	for _, name := range names {
		if docs[name] != text(a, name) && docs[name] != "" {
			patch.WriteString("*** Add File: " + name + "\n+" + strings.ReplaceAll(strings.TrimSuffix(docs[name], "\n"), "\n", "\n+") + "\n")
		}
	}
	if patch.Len() == 0 {
		return speak("NOTHING TO ADD"), by
	}
	args, err := json.Marshal(map[string]string{"patch": "*** Begin Patch\n" + patch.String() + "*** End Patch"})
	if err != nil {
		panic("compare: " + err.Error()) // strings always marshal
	}
	return append(speak("NOTES DONE"), longrein.ToolCall{ID: "note", Name: "apply_patch", Args: string(args)}), by
}

func text(a Asking, name string) string {
	d, _ := a.Notes.Get(name)
	return d.Text
}

// fresh are the entries that the notes do not cover.
func fresh(a Asking) []longrein.Entry {
	for i, e := range a.Shared {
		if e.Seq > a.Boundary {
			return a.Shared[i:]
		}
	}
	return nil
}

func join(text string, lines []string) string {
	if len(lines) == 0 {
		return text
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + strings.Join(lines, "\n") + "\n"
}

// overflow moves MAIN.md's oldest lines to the other document when it has become
// too long, and drops the oldest of those.
func overflow(main, rest string) (string, string) {
	room := int(limit.NotesMain.Default)
	for len(main) > room {
		line, after, ok := strings.Cut(main, "\n")
		if !ok {
			break
		}
		main, rest = after, rest+line+"\n"
	}
	for len(rest) > noteOlder {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return main, rest
}

// compact is a compactor's answer: the recorded summary with what has come since,
// or what rules pick, after what an earlier summary says.
func compact(a Asking) (string, string) {
	if a.Recorded != nil {
		var parts []string
		for _, d := range a.Recorded.Documents {
			parts = append(parts, strings.TrimSpace(d.Text))
		}
		return join(strings.Join(parts, "\n\n"), pick(a.Shared[a.After:], noteTurn)), Recorded
	}
	before := ""
	for _, e := range a.Shared {
		if f, ok := e.Item.(longrein.Fragment); ok && e.Seq == 0 && f.Tag != longrein.TagEnvironment && f.Tag != longrein.TagInstructions {
			before = join(before, []string{strings.TrimSpace(f.Text)})
		}
	}
	main, _ := overflow(join(before, pick(a.Shared, noteTurn)), "")
	return main, Extractive
}

// pick returns a line for what each entry says that may be needed again: the
// first and the last sentence of what the model said, what failed, what changed,
// and lines that give something a value. The newest are kept when they are too
// many.
func pick(entries []longrein.Entry, most int) []string {
	var lines []string
	for _, e := range entries {
		for _, s := range worth(e.Item) {
			line := "- " + clip(s)
			if e.Seq > 0 {
				line += fmt.Sprintf(" [#%d]", e.Seq)
			}
			lines = append(lines, line)
		}
	}
	for n := len(lines); n > 0; n-- {
		if most -= len(lines[n-1]) + 1; most < 0 {
			return lines[n:]
		}
	}
	return lines
}

// worth returns what of an item is worth a line.
func worth(it longrein.Item) []string {
	switch it := it.(type) {
	case longrein.Message:
		if it.Role == longrein.RoleAssistant {
			return ends(it.Text)
		}
	case longrein.ToolOutput:
		return worthOf(it)
	}
	return nil
}

func ends(text string) []string {
	var first, last string
	for s := range sentences(text) {
		if first == "" {
			first = s
		}
		last = s
	}
	switch {
	case first == "":
		return nil
	case first == last:
		return []string{first}
	}
	return []string{first, last}
}

// worthOf picks at most three lines of an output.
func worthOf(o longrein.ToolOutput) []string {
	const most, scanned = 3, 16 << 10
	var out []string
	for _, f := range o.Files {
		if f.Op != longrein.FileRead && len(out) < most {
			out = append(out, string(f.Op)+" "+f.Path)
		}
	}
	at := 0
	body := o.Text[:min(len(o.Text), scanned)]
	for line := range strings.Lines(body) {
		if len(out) < most && (tellsOfError(body, at) || assigns(line)) {
			out = append(out, strings.TrimSpace(line))
		}
		at += len(line)
	}
	return out
}

// assigns reports whether a line gives a name a value with digits in it.
func assigns(line string) bool {
	name, value, ok := strings.Cut(line, "=")
	if !ok {
		name, value, ok = strings.Cut(line, ": ")
	}
	name = strings.TrimSpace(name)
	return ok && len(line) < noteLine && name != "" && !strings.ContainsAny(name, " (") && strings.ContainsAny(value, "0123456789")
}

func clip(line string) string {
	line = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(line, " "), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError
	}), " ")
	if len(line) > noteLine {
		line = strings.ToValidUTF8(line[:noteLine], "") + "…"
	}
	return line
}
