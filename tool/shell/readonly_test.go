package shell_test

import (
	"testing"

	"github.com/longrein/longrein/tool/shell"
)

func TestReadOnly(t *testing.T) {
	yes := []string{
		"cat a.txt", "ls -la src", "head -n 5 a | tail -2", "grep -rn 'func (' .", "rg -n foo --glob '*.go'", "pwd && ls",
		"git status --short", "git log --oneline -5", "git diff HEAD~1 -- a.go", "find . -name '*.go' -type f | wc -l",
		"cat a.go 2>/dev/null", "ls nothere 2>&1 | head", "sort a | uniq -c", "echo \"two words\"", "cd src && ls *.go || true",
		"cat < a", "wc -l src/*.go", "grep x *", "date +%s",
	}
	no := []string{
		"", "rm a", "cat a > b", "cat $(ls)", "cat $HOME/x", "ls `pwd`", "FOO=1 ls", "find . -delete", "find . -exec rm {} ;",
		"git commit -m x", "git -c core.pager=x log", "git diff --output=x", "git branch x", "sort -o a a", "sort -uo a a",
		"sort --outp=a a", "ls &", "eval ls", "cat a | sh", "uniq a b", "rg --pre=sh x", "tail -f log", "cat <(ls)", "if true; then ls; fi",
		"(ls)", "l\\s", "{rm,a}", "git grep -Oless x", "function cat { rm x; }; cat", "cat() { rm x; }; cat a", "ls; rm a", "$'cat' a",
		"date -s 2020-01-01", "alias ls=rm", "cat a >| b", "cat <<< x", "find * -name x", "sort *", "date 01010000",
	}
	for _, c := range yes {
		if !shell.ReadOnly(c) {
			t.Errorf("%q should be read-only", c)
		}
	}
	for _, c := range no {
		if shell.ReadOnly(c) {
			t.Errorf("%q should not be read-only", c)
		}
	}
}

func FuzzReadOnlyNeverPanics(f *testing.F) {
	f.Add("cat a | grep 'x' > /dev/null")
	f.Fuzz(func(_ *testing.T, s string) { shell.ReadOnly(s) })
}
