//go:build unix

package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// wires are what every test is run over.
var wires = []longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages}

// place is one user's machine: settings and threads, a folder to work in, and a
// simulated model behind one wire.
type place struct {
	t    *testing.T
	bin  string
	home string
	dir  string // holds files to read in src
	opts options
	sim  *server
}

// options are what places differ in. The zero value plays read50 in a window that
// it does not fill.
type options struct {
	wire   longrein.Wire
	model  string // empty: the script's
	script string // a file in testdata
	window int    // tokens that the settings say the model takes
	serve  []string
}

func newPlace(t *testing.T, o options) *place {
	t.Helper()
	if o.script == "" {
		o.script = "read50.sim"
	}
	if o.model == "" {
		o.model = "sim:" + strings.TrimSuffix(o.script, ".sim")
	}
	if o.window == 0 {
		o.window = 1_000_000
	}
	p := &place{t: t, bin: binary(t), home: t.TempDir(), dir: t.TempDir(), opts: o}
	for i := range 5 {
		p.write(filepath.Join(p.dir, "src", fmt.Sprint("file", i)), strings.Repeat(fmt.Sprintln("line of file", i), 8*(i+1)))
	}
	p.serve(o.serve...)
	return p
}

// serve starts a simulated model and points the settings to it.
func (p *place) serve(args ...string) {
	p.t.Helper()
	script, err := filepath.Abs(filepath.Join("testdata", p.opts.script))
	if err != nil {
		p.t.Fatal(err)
	}
	p.sim = startServer(p, append([]string{"--script", script}, args...)...)
	p.point(p.sim.url)
}

// point writes settings that lead to the address.
func (p *place) point(url string) {
	p.t.Helper()
	p.write(filepath.Join(p.home, "config.toml"), fmt.Sprintf(`
provider = "here"
model = %q
approval = "never"
sandbox = "full"
[providers.here]
base_url = %q
wire = %q
[models.%[1]q]
context_window = %[4]d
`, p.opts.model, url, p.opts.wire, p.opts.window))
}

func (p *place) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// env is the least that a shell needs: no key of the tester's, no setting.
func (p *place) env() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "TMPDIR=" + p.dir, "LONGREIN_HOME=" + p.home}
}

// exec starts the task.
func (p *place) exec() *process {
	p.t.Helper()
	return p.start("exec", "--json", "--output-last-message", p.answerFile(), "Read every file in folder src")
}

// resume goes on with it.
func (p *place) resume() *process {
	p.t.Helper()
	return p.start("resume", "--last", "--json", "--output-last-message", p.answerFile())
}

func (p *place) answerFile() string { return filepath.Join(p.dir, "answer.txt") }

// answer returns what the task ended with.
func (p *place) answer() string {
	p.t.Helper()
	b, err := os.ReadFile(p.answerFile())
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}
