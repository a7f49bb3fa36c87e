package limitscan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/longrein/longrein/internal/limitscan"
	"github.com/longrein/longrein/internal/source"
)

// scanned returns the findings of a package that holds declarations.
func scanned(t *testing.T, declarations string) []limitscan.Finding {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\n"+declarations+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	packages, err := source.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return limitscan.Scan(packages[0])
}

func inside(statement string) string { return "func f() {\n\t" + statement + "\n}" }

func TestWhatCutsIsFound(t *testing.T) {
	for name, code := range map[string]string{
		"a text cut":                         inside(`s = s[:5000]`),
		"a text whose end is kept":           inside(`s = s[len(s)-5_000:]`),
		"a text whose start is dropped":      inside(`s = s[4096:]`),
		"a text cut where it is longer":      inside(`s = s[:min(len(s), 1<<10)]`),
		"a text shortened by a helper":       inside(`s = clipped(s, 80)`),
		"a list cut by a named number":       "const keep = 4 << 10\n" + inside(`x = x[:keep]`),
		"a list cut by a number of its own":  inside("const keep = 100\n\tx = x[:keep]"),
		"a text too long to go on":           inside("if len(x) > 4096 {\n\t\treturn\n\t}"),
		"a count that is too high":           inside("if count >= 100 {\n\t\tbreak\n\t}"),
		"a size that is too large, turned":   inside("if 1<<20 < info.Size() && !force {\n\t\treturn\n\t}"),
		"a case for what is too long":        inside("switch {\n\tcase utf8.RuneCountInString(s) > 80:\n\t}"),
		"a number of tries":                  inside("for i := 0; i < 10; i++ {\n\t}"),
		"a wait for a time":                  inside(`time.Sleep(2 * time.Second)`),
		"a wait for a named time":            "const nap = time.Minute\n" + inside(`<-time.After(nap)`),
		"a request with a deadline":          inside(`ctx, stop := context.WithTimeout(ctx, 30*time.Second)`),
		"a deadline from now on":             inside(`c.SetDeadline(time.Now().Add(5 * time.Second))`),
		"what has become too old":            inside("if time.Since(t) > 10*time.Minute {\n\t\treturn\n\t}"),
		"a client's timeout":                 inside(`c := http.Client{Timeout: time.Duration(10) * time.Second}`),
		"a timeout set later":                inside(`c.ReadTimeout = time.Minute`),
		"a field that is a bound":            inside(`o := Options{MaxDepth: 32}`),
		"a reader that ends":                 inside(`r = io.LimitReader(r, 1<<20)`),
		"a reader that ends, as a struct":    inside(`r = &io.LimitedReader{R: r, N: 4096}`),
		"a body that ends":                   inside(`b := http.MaxBytesReader(w, r.Body, 64<<10)`),
		"a look at a start":                  inside(`b, _ := r.Peek(8 << 10)`),
		"a queue":                            inside(`c := make(chan int, 512)`),
		"a scanner's lines":                  inside(`s := bufio.NewScanner(r)`),
		"a scanner's lines, made longer":     inside("s := bufio.NewScanner(r)\n\ts.Buffer(nil, 1<<20)"),
		"a constant that is called a bound":  `const maxFiles = 3 * 100`,
		"a variable that is called a bound":  `var retryLimit = 5`,
		"a constant that is a time":          `const grace = 500 * time.Millisecond`,
		"a reason without words":             inside("// fixed:\n\ts = s[:5000]"),
		"a reason that stands somewhere off": inside("// fixed: the protocol says so\n\n\ts = s[:5000]"),
	} {
		if len(scanned(t, code)) == 0 {
			t.Errorf("%s is not found:\n%s", name, code)
		}
	}
}

func TestWhatIsNoCutIsNot(t *testing.T) {
	for name, code := range map[string]string{
		"a limit's value":               inside(`s = s[:set.Int(limit.ToolOutput)]`),
		"a prefix of a format":          inside(`s = s[4:]`),
		"a number to compare with":      inside("if len(s) == 40 {\n\t\treturn\n\t}"),
		"a list that is not empty":      inside("if len(s) > 0 {\n\t\treturn\n\t}"),
		"a status":                      inside("if status >= 400 {\n\t\treturn\n\t}"),
		"a switch over small numbers":   inside("switch {\n\tcase n < 1000:\n\t}"),
		"a time that is measured":       inside(`t := time.Since(start).Round(time.Millisecond)`),
		"a time to the millisecond":     inside(`t = t.Truncate(time.Millisecond)`),
		"a channel for one answer":      inside(`c := make(chan error, 1)`),
		"a buffer's size":               inside(`r := bufio.NewReaderSize(f, 64<<10)`),
		"a permission":                  inside(`os.WriteFile(name, data, 0o600)`),
		"a wait that a limit has":       inside(`time.Sleep(set.Duration(limit.LockPause))`),
		"the larger of two":             inside(`n = max(n, 80)`),
		"a bound from elsewhere":        `var maxFiles = limit.Files.Default`,
		"a reason on the line":          inside(`s = s[:5000] // fixed: the protocol says so`),
		"a reason on the line before":   inside("// fixed: the protocol says so\n\ts = s[:5000]"),
		"a reason at the constant":      "// fixed: the protocol says so\nconst keep = 4096\n" + inside(`x = x[:keep]`),
		"a reason in a group":           "const (\n\tmaxA = 12 // fixed: the protocol says so\n)",
		"constants that go in circles":  "const maxA = maxB\nconst maxB = maxA",
		"a division by nothing":         `const maxA = 1 / 0`,
		"what only tests have a use of": "import \"testing\"\n" + `func Suite(t *testing.T) { s = s[:5000] }`,
	} {
		if found := scanned(t, code); len(found) != 0 {
			t.Errorf("%s: %v\n%s", name, found, code)
		}
	}
}
