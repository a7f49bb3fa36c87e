package export

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
)

// Markdown writes a transcript for people: turns, what was said, calls with their
// outputs folded, and what the harness put in and did, marked as such. Long outputs
// are cut at the limit export-output.
func Markdown(w io.Writer, records Records, o Options) (Report, error) {
	m := &markdown{bufio.NewWriter(w)}
	t := &teller{Options: o, begin: m.begin, block: m.block}
	err := t.tell(records)
	if flush := m.Flush(); err == nil {
		err = flush
	}
	return t.report, err
}

// markdown writes blocks. Errors of its writer stay there until the end.
type markdown struct{ *bufio.Writer }

func (m *markdown) begin(h heading) error {
	fmt.Fprintf(m, "# %s\n\n", line(h.Title))
	for _, f := range h.Fields {
		fmt.Fprintf(m, "- %s: %s\n", f[0], line(f[1]))
	}
	return nil
}

func (m *markdown) block(b block) error {
	switch b.Kind {
	case kindTurn:
		fmt.Fprintf(m, "\n## %s\n", b.Title)
	case kindUser:
		fmt.Fprintf(m, "\n**%s**\n\n%s\n", b.Title, quoted(b.Text))
	case kindModel:
		fmt.Fprintf(m, "\n**%s**\n\n%s\n", b.Title, strings.TrimSpace(b.Text))
	case kindCall:
		m.fold(fmt.Sprintf("Call <code>%s</code> %s — %s", html.EscapeString(line(b.Title)), html.EscapeString(beginning(b.Text)), b.Status), b.Text, b.Output)
	case kindReasoning:
		m.fold("Thinking", b.Text)
	case kindFragment:
		m.fold("Inserted: "+html.EscapeString(line(b.Title)), b.Text)
	default:
		m.note(b)
	}
	return nil
}

func (m *markdown) note(b block) {
	if strings.TrimSpace(b.Text) == "" {
		fmt.Fprintf(m, "\n*%s*\n", line(b.Title))
		return
	}
	m.fold("<em>"+html.EscapeString(line(b.Title))+"</em>", b.Text)
}

// fold writes texts that are shown when one asks for them.
func (m *markdown) fold(summary string, texts ...string) {
	fmt.Fprintf(m, "\n<details><summary>%s</summary>\n", summary)
	for _, text := range texts {
		if text == "" {
			continue
		}
		fence := fenceOf(text)
		fmt.Fprintf(m, "\n%s\n%s\n%s\n", fence, strings.TrimRight(text, "\n"), fence)
	}
	fmt.Fprint(m, "\n</details>\n")
}

// fenceOf is a fence that no line of the text closes.
func fenceOf(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// quoted is a text as a quotation, so that nothing in it is taken for structure.
func quoted(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
}

// line is a text on one line, with nothing in it that Markdown reads as structure.
func line(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer("<", "&lt;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[").Replace(text)
}

// beginning is the first of a text, on one line.
func beginning(text string) string {
	const longest = 80 // fixed: a heading; the text stands below it
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return text
}
