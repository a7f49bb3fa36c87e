package limitscan_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein/internal/source"
	"github.com/longrein/longrein/limit"
)

var update = flag.Bool("update", false, "write the table of docs/limits.md anew")

// The marks around the table in docs/limits.md.
const (
	tableStart = "<!-- limits: made by go test ./internal/limitscan -run Docs -update -->\n"
	tableEnd   = "<!-- end -->\n"
)

func TestDocsListEveryLimit(t *testing.T) {
	root, err := source.Root()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "docs", "limits.md")
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), tableStart)
	got, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", file)
	}
	want := table()
	if *update {
		if err := os.WriteFile(file, []byte(before+tableStart+want+tableEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the table in docs/limits.md is old; run go test ./internal/limitscan -run Docs -update (-want +got):\n%s", diff)
	}
}

// table lists all limits in Markdown.
func table() string {
	var b strings.Builder
	b.WriteString("| limit | default | range | meaning | reason |\n| --- | --- | --- | --- | --- |\n")
	for _, l := range limit.All {
		what := l.What
		if l.Planned != "" {
			what += " *(planned, with " + l.Planned + ")*"
		}
		span := fmt.Sprintf("%d to %d", l.Min, l.Max)
		if l.Min == l.Max {
			span = "fixed"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", l.Name, amount(l), span, cell(what), cell(l.Why))
	}
	return b.String()
}

func amount(l *limit.Limit) string {
	if l.Unit == limit.Count {
		return fmt.Sprint(l.Default)
	}
	return fmt.Sprintf("%d %s", l.Default, l.Unit)
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
