package compare

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/longrein/longrein"
)

var zero longrein.Price

// WriteText writes the results of one session side by side for people.
func WriteText(w io.Writer, results []*Result) error {
	if len(results) == 0 {
		return nil
	}
	t := &textTable{first: len("  refused as too long")}
	for _, r := range results {
		t.widths = append(t.widths, utf8.RuneCountInString(r.Strategy))
	}
	t.measure(results)
	var b strings.Builder
	fmt.Fprintln(&b, results[0].Session)
	for _, line := range about(results[0]) {
		fmt.Fprintln(&b, "  "+line)
	}
	fmt.Fprintln(&b)
	t.line(&b, "", names(results))
	for _, group := range rows {
		fmt.Fprintln(&b, "\n"+group.Title)
		for _, row := range group.Rows {
			t.line(&b, label(row), values(row, results))
		}
	}
	fmt.Fprintln(&b)
	for _, note := range notes(results) {
		fmt.Fprintln(&b, note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// textTable is how wide the columns are.
type textTable struct {
	first  int
	widths []int
}

func (t *textTable) measure(results []*Result) {
	for _, group := range rows {
		for _, row := range group.Rows {
			t.first = max(t.first, len(label(row)))
			for i, v := range values(row, results) {
				t.widths[i] = max(t.widths[i], utf8.RuneCountInString(v))
			}
		}
	}
}

func (t *textTable) line(b *strings.Builder, label string, cells []string) {
	fmt.Fprintf(b, "  %-*s", t.first, label)
	for i, c := range cells {
		fmt.Fprintf(b, "  %*s", t.widths[i], c)
	}
	b.WriteByte('\n')
}

func label(r row) string {
	if r.Part {
		return "  " + r.Label
	}
	return r.Label
}

func values(r row, results []*Result) []string {
	var out []string
	for _, res := range results {
		out = append(out, r.Value(res))
	}
	return out
}

func names(results []*Result) []string {
	var out []string
	for _, r := range results {
		out = append(out, r.Strategy)
	}
	return out
}
