package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein/lint"
)

// What is as long as a file may be is looked at in one go: nothing in it is looked
// at again for each of its lines, tags or sentences.
func BenchmarkCheck(b *testing.B) {
	var names strings.Builder
	for i := 0; names.Len() < 1<<20; i++ {
		fmt.Fprintf(&names, "<a_%d>", i)
	}
	for name, text := range map[string]string{
		"prose":         strings.Repeat("Use tabs in all files. Never push to main; it is protected.\n", 1<<20/61),
		"one line":      strings.Repeat("never a. ", 1<<20/9),
		"one tag often": strings.Repeat("<a_b>", 1<<20/5),
		"many tags":     names.String(),
		"fences":        strings.Repeat("```\n", 1<<20/4),
	} {
		b.Run(name, func(b *testing.B) {
			s := lint.Subject{Texts: []lint.Text{agents("/a", text), {Kind: lint.Skill, Path: "/s", Text: text}}}
			for b.Loop() {
				lint.Check(s)
			}
		})
	}
}
