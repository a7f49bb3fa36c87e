//go:build unix

package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/longrein/longrein"
)

// patience is what no process of these tests needs on a busy machine.
const patience = 5 * time.Minute

// process is one run of the program, in a process group of its own.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stderr string // a file
	out    *bufio.Reader
	lines  [][]byte // whole ones, as they were printed
	over   bool
}

func (p *place) start(args ...string) *process {
	p.t.Helper()
	err, e := os.CreateTemp(p.home, "stderr-")
	if e != nil {
		p.t.Fatal(e)
	}
	defer err.Close()
	r := &process{t: p.t, cmd: exec.Command(p.bin, args...), stderr: err.Name()}
	r.cmd.Dir, r.cmd.Env, r.cmd.Stderr = p.dir, p.env(), err
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, e := r.cmd.StdoutPipe()
	if e != nil {
		p.t.Fatal(e)
	}
	r.out = bufio.NewReader(out)
	if e := r.cmd.Start(); e != nil {
		p.t.Fatal(e)
	}
	stuck := time.AfterFunc(patience, func() {
		p.t.Errorf("%s does not come to its end", filepath.Base(r.cmd.Args[0])+" "+args[0])
		r.signal(syscall.SIGKILL)
	})
	p.t.Cleanup(func() {
		stuck.Stop()
		r.kill()
	})
	return r
}

// signal goes to the whole group, as from a terminal. The group is there until
// its leader has been waited for.
func (r *process) signal(s syscall.Signal) {
	if !r.over {
		_ = syscall.Kill(-r.cmd.Process.Pid, s) // it may be gone already
	}
}

// kill ends the process without a word to it, and reads what it had printed.
func (r *process) kill() {
	if r.over {
		return
	}
	r.signal(syscall.SIGKILL)
	r.wait()
}

// next reads a line and reports whether there was a whole one.
func (r *process) next() bool {
	line, err := r.out.ReadBytes('\n')
	if err != nil {
		return false
	}
	r.lines = append(r.lines, line)
	return true
}

// find reads lines up to one that contains the text, and reports whether there
// was one.
func (r *process) find(text string) bool {
	for r.next() {
		if bytes.Contains(r.lines[len(r.lines)-1], []byte(text)) {
			return true
		}
	}
	return false
}

// until is find for a line that must come.
func (r *process) until(text string) {
	r.t.Helper()
	if r.find(text) {
		return
	}
	r.t.Fatalf("the process ended without printing %s\n%s", text, r.said())
}

// wait reads all that is printed and returns the exit code, -1 after a signal.
func (r *process) wait() int {
	for r.next() {
	}
	err := r.cmd.Wait()
	r.over = true
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Error(err)
	}
	return r.cmd.ProcessState.ExitCode()
}

// succeed waits for exit code 0.
func (r *process) succeed() {
	r.t.Helper()
	if code := r.wait(); code != 0 {
		r.t.Fatalf("exit code %d\n%s", code, r.said())
	}
}

// said returns what the process told people.
func (r *process) said() string {
	b, err := os.ReadFile(r.stderr)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// recorded returns the events that announced records, by number, as printed.
func (r *process) recorded() map[int64]string {
	r.t.Helper()
	events := map[int64]string{}
	for _, line := range r.lines {
		var e struct{ Seq int64 }
		if err := json.Unmarshal(line, &e); err != nil {
			r.t.Fatalf("printed %q: %v", line, err)
		}
		if e.Seq > 0 {
			events[e.Seq] = string(line)
		}
	}
	return events
}

// announced returns the line that announces a record.
func announced(t *testing.T, thread string, rec longrein.Record) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(longrein.EventOf(thread, rec)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// server is a simulated model in a process of its own.
type server struct {
	*process
	url string
}

func startServer(p *place, args ...string) *server {
	p.t.Helper()
	s := &server{process: p.start(append([]string{"sim", "serve", "--addr", "127.0.0.1:0", "--log"}, args...)...)}
	s.until("http://")
	if _, err := fmt.Sscanf(string(s.lines[0]), "simulated model at %s", &s.url); err != nil {
		p.t.Fatalf("printed %q: %v", s.lines[0], err)
	}
	return s
}
