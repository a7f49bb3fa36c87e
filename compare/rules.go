package compare

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

// Bounds of the notes that rules make.
const (
	// fixed: all replays note the same
	noteLine  = 240      // bytes of one line
	noteTurn  = 3 << 10  // of one summary
	noteOlder = 16 << 10 // of the document that MAIN.md's oldest lines go to
)

// older is the document that MAIN.md's oldest lines go to.
const older = "topics/earlier.md"

// summarize is a summarizer's answer: the recorded notes, or the lines that rules
// pick of what is new; one patch, and done.
func summarize(a Asking) Reply {
	if len(a.Own) > 1 {
		return Reply{Items: speak("NOTES DONE"), By: Extractive} // its patch was done
	}
	r := Reply{By: Extractive}
	lines, notes := pick(fresh(a), noteTurn), a.Notes
	if a.Recorded != nil {
		r.By = Recorded
		lines = pick(a.Shared[a.After:], noteTurn)
		notes = notes.With(longrein.Notes{Changed: a.Recorded.Documents})
	}
	main, rest := overflow(join(text(notes, longrein.MainDocument), lines), text(notes, older), int(limit.NotesMain.Default))
	notes = notes.With(longrein.Notes{Changed: []longrein.Document{
		{Name: longrein.MainDocument, Text: main}, {Name: older, Text: rest},
	}})
	var patch strings.Builder
	for _, d := range notes.Documents() {
		if before := text(a.Notes, d.Name); d.Text != before && d.Text != "" && writable(d.Name) {
			patch.WriteString("*** Add File: " + d.Name + "\n+" + strings.ReplaceAll(strings.TrimSuffix(d.Text, "\n"), "\n", "\n+") + "\n")
			r.Done.Usage.Output += written(before, d.Text)
		}
	}
	if patch.Len() == 0 {
		r.Items = speak("NOTHING TO ADD")
		return r
	}
	args, err := json.Marshal(map[string]string{"patch": "*** Begin Patch\n" + patch.String() + "*** End Patch"})
	if err != nil {
		panic("compare: " + err.Error()) // strings always marshal
	}
	r.Items = append(speak("NOTES DONE"), longrein.ToolCall{ID: "note", Name: "apply_patch", Args: string(args)})
	return r
}

// writable reports whether a document is the summarizer's.
func writable(name string) bool {
	return name != longrein.TodoDocument && name != longrein.LedgerDocument
}

// written is how many tokens of output the change of a document is worth: the
// lines that are new, since a model edits by small patches.
func written(before, after string) (n int64) {
	old := map[string]bool{}
	for line := range strings.Lines(before) {
		old[line] = true
	}
	for line := range strings.Lines(after) {
		if !old[line] {
			n += int64(assemble.Tokens(line))
		}
	}
	return n
}

func text(notes memory.Notes, name string) string {
	d, _ := notes.Get(name)
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

// overflow moves the oldest lines of a text to the other when it has more than
// room bytes, and drops the oldest of those.
func overflow(main, rest string, room int) (string, string) {
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

// sumUp is a compactor's answer: the recorded summary with what has come since,
// or what rules pick, after what an earlier summary says.
func sumUp(a Asking) (string, string) {
	if a.Recorded != nil {
		var parts []string
		for _, d := range a.Recorded.Documents {
			parts = append(parts, strings.TrimSpace(d.Text))
		}
		return join(strings.Join(parts, "\n\n"), pick(a.Shared[a.After:], noteTurn)), Recorded
	}
	before, all := "", 0
	for _, e := range a.Shared {
		text, _ := said(e.Item)
		all += len(text)
		if f, ok := e.Item.(longrein.Fragment); ok && f.Tag == longrein.TagCompacted {
			_, before, _ = strings.Cut(text, "\n\n") // without what introduces it
		}
	}
	main, _ := overflow(join(before, pick(a.Shared, noteTurn)), "", min(all/summedUp, int(limit.NotesMain.Default)))
	return main, Extractive
}

// summedUp is by how much a summary by rules is shorter than what it sums up, at
// least. Otherwise it would fill a small window, and more so each time.
const summedUp = 4

// pick returns a line for what each entry says that may be needed again: the
// first and the last sentence of what the model said, what failed, what changed,
// and lines that give something a value. The newest are kept when they are too
// many.
func pick(entries []longrein.Entry, most int) []string {
	var lines []string
	seen := map[string]bool{}
	for _, e := range entries {
		for _, s := range worth(e.Item) {
			line := "- " + clip(s)
			if seen[line] {
				continue
			}
			seen[line] = true
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
	const most, scanned = 3, 16 << 10 // fixed: all replays note the same
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
	value = strings.Trim(value, " \t\"'`")
	return ok && len(line) < noteLine/2 && name != "" && value != "" && '0' <= value[0] && value[0] <= '9'
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
