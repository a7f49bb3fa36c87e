package skill_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/skill"
)

// many makes a root with so many skills, which were written a while ago.
func many(tb testing.TB, n int) []skill.Root {
	tb.Helper()
	root := tb.TempDir()
	for i := range n {
		name := fmt.Sprintf("skill-%04d", i)
		write(tb, filepath.Join(root, name, "SKILL.md"), fmt.Sprintf("---\nname: %s\ndescription: Does the work of number %d, "+
			"when the user asks for just that and for nothing else.\nlicense: MIT\nmetadata:\n  author: somebody\n  version: \"1.0\"\n---\n\n# Steps\n\n1. Do it.\n", name, i))
	}
	age(tb, root)
	return []skill.Root{{Path: root, Level: skill.LevelUser}}
}

// age makes everything in a folder an hour old.
func age(tb testing.TB, root string) {
	tb.Helper()
	then := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		return os.Chtimes(path, then, then)
	})
	if err != nil {
		tb.Fatal(err)
	}
}

func BenchmarkLook(b *testing.B) {
	roots := many(b, 1000)
	b.Run("anew", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			look(b, new(skill.Catalog), roots)
		}
	})
	b.Run("again", func(b *testing.B) {
		var c skill.Catalog
		first := look(b, &c, roots)
		b.ReportAllocs()
		for b.Loop() {
			if look(b, &c, roots) != first {
				b.Fatal("a look at what has not changed found something else")
			}
		}
	})
}

func BenchmarkChanges(b *testing.B) {
	roots := many(b, 300)
	var c skill.Catalog
	for name, window := range map[string]int{"all fit": 0, "few fit": 50_000} {
		b.Run(name, func(b *testing.B) {
			budget := skill.Budget{Window: window, Size: func(s string) int { return len(s) / 4 }}
			if window == 0 {
				budget.Window = 10_000_000
			}
			seen := []longrein.Entry{{Item: longrein.NewFragment(longrein.TagSkills, look(b, &c, roots).List(budget).Text)}}
			b.ReportAllocs()
			for b.Loop() {
				if l := look(b, &c, roots).Changes(seen, budget); l.Text != "" {
					b.Fatal(l.Text)
				}
			}
		})
	}
}

func look(tb testing.TB, c *skill.Catalog, roots []skill.Root) *skill.Found {
	tb.Helper()
	f, err := c.Look(context.Background(), roots, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func write(tb testing.TB, path, text string) string {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}
