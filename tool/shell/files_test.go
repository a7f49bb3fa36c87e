package shell_test

import (
	"strings"
	"testing"

	"github.com/longrein/longrein/tool/shell"
)

func TestFilesThatACommandNamesForCertain(t *testing.T) {
	tests := map[string]struct{ command, read, changed string }{
		"a reader":                            {"cat a b/c.txt", "/w/a /w/b/c.txt", ""},
		"an absolute name":                    {"wc -l /etc/hosts ./x/../y", "/etc/hosts /w/y", ""},
		"options and their values":            {"head -n 5 a && tail -n5 b && head -20 c", "/w/a /w/b /w/c", ""},
		"a pattern is no file":                {"grep -n 'a b' f g", "/w/f /w/g", ""},
		"a pattern in an option":              {"grep -A 2 -e x f", "/w/f", ""},
		"a script is no file":                 {"sed -n '1,5p' f", "/w/f", ""},
		"sed in place":                        {"sed -i s/a/b/ f g", "", "/w/f /w/g"},
		"sed in place that may have failed":   {"sed -i s/a/b/ f; true", "", ""},
		"redirections":                        {"make > log 2>> err.txt < in", "/w/in", "/w/log /w/err.txt"},
		"both streams":                        {"make &> log", "", "/w/log"},
		"a here document":                     {"cat <<'X' > f\ncat g\nX", "", "/w/f"},
		"tee in a pipe":                       {"make | tee -a log | tail -3", "", "/w/log"},
		"the first of a pipe":                 {"cat f | grep x", "/w/f", ""},
		"quotes":                              {`cat "a b" 'c'`, "/w/a b /w/c", ""},
		"names that are computed":             {"cat $F a*.go ~/x `pwd`/y b{1,2}; make > $LOG", "", ""},
		"one computed word spoils a command":  {"cat a $X", "", ""},
		"a redirection of a computed command": {"$CC > log", "", "/w/log"},
		"a long option without a value":       {"head --lines 5 a", "", ""},
		"a long option with one":              {"head --lines=5 a", "/w/a", ""},
		"after two dashes":                    {"cat -- -a", "/w/-a", ""},
		"standard input":                      {"cat - a", "/w/a", ""},
		"each file once":                      {"cat a a > b; cat a >> b", "/w/a", "/w/b"},
		"another folder":                      {"cd sub && cat a > b", "/w/sub/a", "/w/sub/b"},
		"a folder that may not be there":      {"cd sub; cat a /b", "/b", ""},
		"a folder in a pipe":                  {"cd sub | cat; cat a", "/w/a", ""},
		"home":                                {"cd; cat a", "", ""},
		"what may not run":                    {"test -f a || cat b; if x; then cat c; fi; ! cat d; cat e & for f in 1; do cat g; done", "", ""},
		"what runs before it":                 {"cat a && cat b; cat c", "/w/a /w/c", ""},
		"after an exit":                       {"cat a; exit 0; cat b", "/w/a", ""},
		"after a possible exit":               {"cat a; x || exit 0; cat b", "/w/a", ""},
		"safe settings":                       {"set -euo pipefail\ncat a", "/w/a", ""},
		"settings that keep files":            {"set -C; make > a", "", ""},
		"a loop's output":                     {"for i in 1 2; do echo $i; done > f", "", "/w/f"},
		"a block":                             {"{ cat a; cat b; } > f", "/w/a /w/b", "/w/f"},
		"cat is not cat":                      {"cat() { rm $1; }; cat a", "", ""},
		"no shell":                            {"cat 'a", "", ""},
		"nothing":                             {"", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			read, changed := shell.Files(tt.command, "/w")
			if got := strings.Join(read, " "); got != tt.read {
				t.Errorf("read %q, want %q", got, tt.read)
			}
			if got := strings.Join(changed, " "); got != tt.changed {
				t.Errorf("changed %q, want %q", got, tt.changed)
			}
		})
	}
}

func FuzzFilesNeverPanics(f *testing.F) {
	f.Add("cd a && cat b | grep 'x' > c || sed -i s/a/b/ d")
	f.Fuzz(func(t *testing.T, s string) {
		read, changed := shell.Files(s, "/w")
		for _, name := range append(read, changed...) {
			if !strings.HasPrefix(name, "/") {
				t.Errorf("%q names %q", s, name)
			}
		}
	})
}
