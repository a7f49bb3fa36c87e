package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein/tool/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// alone is Landlock without namespaces.
const alone sandbox.Method = "landlock alone"

// methods are those that the whole suite runs under.
var methods = []sandbox.Method{sandbox.Bubblewrap, sandbox.Landlock, alone}

// box opens a box with one method. Without it the test cannot say anything, and
// it says so.
func box(t *testing.T, r sandbox.Rules, m sandbox.Method) *sandbox.Box {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if m == alone {
		b, err := sandbox.OpenLandlockAlone(ctx, r)
		if err != nil {
			t.Skipf("NOT TESTED: %s does not work here: %v", m, err)
		}
		return b
	}
	b := sandbox.Open(ctx, r, m)
	if b.Report().Method != m {
		t.Skipf("NOT TESTED: %s does not work here: %s", m, b.Report().Why)
	}
	return b
}

// sh runs a script in the box and returns what it printed.
func sh(t *testing.T, b *sandbox.Box, dir, script string) (string, error) {
	t.Helper()
	cmd, err := b.Command(dir, "/bin/sh", "-c", script)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.String(), err
}

// tree is a folder outside of the temporary ones with a work tree in it.
func tree(t *testing.T) string {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(home, ".sandbox-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, name := range []string{"work/.git/hooks", "work/src", "other", "extra", "work/home"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"work/.git/config", "work/src/a.go", "other/file", "work/home/log"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func rules(dir string, m sandbox.Mode) sandbox.Rules {
	work := filepath.Join(dir, "work")
	return sandbox.Rules{
		Mode: m, Cwd: work,
		Writable:  []string{filepath.Join(dir, "extra")},
		Protected: []string{filepath.Join(work, "home")},
	}
}

func TestFiles(t *testing.T) {
	tests := map[string]struct {
		mode   sandbox.Mode
		script string
		ok     bool
	}{
		"a file in the work tree can be changed":      {sandbox.WorkspaceWrite, "echo new > src/a.go", true},
		"a file in a sub-folder can be made":          {sandbox.WorkspaceWrite, "echo new > src/b.go && mkdir src/c", true},
		"a writable folder besides can be written":    {sandbox.WorkspaceWrite, "echo new > ../extra/x", true},
		"the temporary folder can be written":         {sandbox.WorkspaceWrite, "f=$(mktemp) && echo x > $f && rm $f", true},
		"everything can be read":                      {sandbox.WorkspaceWrite, "cat ../other/file .git/config home/log", true},
		"/dev/null takes everything":                  {sandbox.WorkspaceWrite, "echo x > /dev/null", true},
		"a file outside cannot be changed":            {sandbox.WorkspaceWrite, "echo new > ../other/file", false},
		"a file outside cannot be removed":            {sandbox.WorkspaceWrite, "rm -f ../other/file", false},
		"a file outside cannot be truncated":          {sandbox.WorkspaceWrite, "truncate -s 0 ../other/file", false},
		"a file cannot be made outside":               {sandbox.WorkspaceWrite, "echo new > ../other/new", false},
		"a symlink does not lead outside":             {sandbox.WorkspaceWrite, "ln -s ../../other src/l && echo new > src/l/file", false},
		"a file outside cannot be linked in":          {sandbox.WorkspaceWrite, "ln ../other/file src/", false},
		".git cannot be written":                      {sandbox.WorkspaceWrite, "echo x > .git/hooks/pre-commit", false},
		".git cannot be changed":                      {sandbox.WorkspaceWrite, "echo x >> .git/config", false},
		".git cannot be moved away":                   {sandbox.WorkspaceWrite, "mv .git src/git", false},
		"a protected folder inside cannot be written": {sandbox.WorkspaceWrite, "echo x > home/log", false},
		"a mount cannot be undone":                    {sandbox.WorkspaceWrite, "umount .git && echo x >> .git/config", false},
		"a read-only mount cannot be made writable":   {sandbox.WorkspaceWrite, "mount -o remount,rw,bind / && echo x > ../other/file", false},
		"the kernel's settings cannot be written":     {sandbox.WorkspaceWrite, "echo x > /proc/sys/kernel/domainname", false},
		"read-only holds the work tree":               {sandbox.ReadOnly, "echo new > src/a.go", false},
		"read-only holds writable folders":            {sandbox.ReadOnly, "echo new > ../extra/x", false},
		"read-only can read":                          {sandbox.ReadOnly, "cat src/a.go ../other/file", true},
		"read-only has /dev/null":                     {sandbox.ReadOnly, "echo x > /dev/null", true},
		"a process outside cannot be told to end":     {sandbox.WorkspaceWrite, fmt.Sprintf("kill -0 %d", os.Getpid()), false},
		"root's rights over the machine are given up": {sandbox.WorkspaceWrite, "mknod src/disk b 8 0", false},
	}
	for _, m := range methods {
		for name, tt := range tests {
			t.Run(string(m)+"/"+name, func(t *testing.T) {
				dir := tree(t)
				before := snapshot(t, dir)
				out, err := sh(t, box(t, rules(dir, tt.mode), m), filepath.Join(dir, "work"), tt.script)
				if (err == nil) != tt.ok {
					t.Fatalf("err = %v, want ok = %v; printed %q", err, tt.ok, out)
				}
				if after := snapshot(t, dir); !tt.ok && after != before {
					t.Errorf("the files changed:\n%s\n%s", before, after)
				}
			})
		}
	}
}

// What only mounts can do.
func TestMountsGoFurther(t *testing.T) {
	tests := map[string]struct {
		mode   sandbox.Mode
		script string
	}{
		"a new file beside .git can be made":       {sandbox.WorkspaceWrite, "echo new > top && mv top src/"},
		"read-only has a private temporary folder": {sandbox.ReadOnly, "echo x > /tmp/x && cat /tmp/x"},
		"modes outside cannot be changed":          {sandbox.WorkspaceWrite, "! chmod 600 ../other/file"},
		"loopback works inside":                    {sandbox.WorkspaceWrite, "grep -q 'lo:' /proc/net/dev"},
	}
	for _, m := range methods[:2] {
		for name, tt := range tests {
			t.Run(string(m)+"/"+name, func(t *testing.T) {
				dir := tree(t)
				if out, err := sh(t, box(t, rules(dir, tt.mode), m), filepath.Join(dir, "work"), tt.script); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			})
		}
	}
}

func TestAWorkTreeInATemporaryFolder(t *testing.T) {
	for _, m := range methods[:2] {
		t.Run(string(m), func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "file"), []byte("old\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(dir, "sub/.git"), 0o755); err != nil {
				t.Fatal(err)
			}
			b := box(t, sandbox.Rules{Mode: sandbox.ReadOnly, Cwd: dir}, m)
			if out, err := sh(t, b, dir, "cat file && echo x > /tmp/x && ! echo x > file"); err != nil {
				t.Errorf("read-only: %v: %s", err, out)
			}
			b = box(t, sandbox.Rules{Mode: sandbox.WorkspaceWrite, Cwd: filepath.Join(dir, "sub")}, m)
			if out, err := sh(t, b, filepath.Join(dir, "sub"), "echo x > new && ! echo x > .git/config"); err != nil {
				t.Errorf("workspace-write: %v: %s", err, out)
			}
		})
	}
}

func TestServicesOutsideAreOutOfReach(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent")
	agent, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	t.Setenv("SSH_AUTH_SOCK", path)
	for _, m := range methods[:2] {
		dir := tree(t)
		if out, err := sh(t, box(t, rules(dir, sandbox.WorkspaceWrite), m), dir, "test -e "+path+" && ! test -S "+path); err != nil {
			t.Errorf("%s: %v: %s", m, err, out)
		}
	}
}

func TestTheReportNamesWeaknesses(t *testing.T) {
	dir := tree(t)
	r := rules(dir, sandbox.WorkspaceWrite)
	want := "nothing new can be made directly in " + r.Cwd
	if got := box(t, r, alone).Report(); !strings.Contains(got.Why, want) || !got.Holds() {
		t.Errorf("report = %+v, want %q in it", got, want)
	}
}

// snapshot prints the contents of all files but what the scripts may leave.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.Command("sh", "-c", "cd '"+dir+"' && find . -type f | sort | xargs grep -H .").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestNetwork(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("NOT TESTED: bash is not installed")
	}
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Addr().String())
	dial := "bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + port + "'"
	for _, m := range methods {
		for name, on := range map[string]bool{"off": false, "on": true} {
			t.Run(string(m)+"/"+name, func(t *testing.T) {
				dir := tree(t)
				r := rules(dir, sandbox.WorkspaceWrite)
				r.Network = on
				if out, err := sh(t, box(t, r, m), r.Cwd, dial); (err == nil) != on {
					t.Errorf("connecting gave %v, want ok = %v: %s", err, on, out)
				}
			})
		}
	}
}

func TestExitStatusAndOutputPassThrough(t *testing.T) {
	for _, m := range methods {
		t.Run(string(m), func(t *testing.T) {
			dir := tree(t)
			r := rules(dir, sandbox.WorkspaceWrite)
			out, err := sh(t, box(t, r, m), filepath.Join(r.Cwd, "src"), "pwd; exit 7")
			var exit *exec.ExitError
			if !asExit(err, &exit) || exit.ExitCode() != 7 {
				t.Errorf("err = %v, want exit status 7", err)
			}
			if want := filepath.Join(r.Cwd, "src"); strings.TrimSpace(out) != want {
				t.Errorf("ran in %q, want %q", out, want)
			}
		})
	}
}

func asExit(err error, to **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*to = e
	return ok
}

func TestWithoutAMethodTheReportSaysWhy(t *testing.T) {
	r := sandbox.Open(t.Context(), sandbox.Rules{Mode: sandbox.WorkspaceWrite, Cwd: t.TempDir()}, "magic").Report()
	if r.Method != sandbox.None || r.Holds() || !strings.Contains(r.Why, "magic") {
		t.Errorf("report = %+v", r)
	}
}

func TestFullNeedsNoMethod(t *testing.T) {
	r := sandbox.Open(t.Context(), sandbox.Rules{Mode: sandbox.Full, Cwd: "/"}).Report()
	if r.Method != sandbox.NotNeeded || !r.Holds() {
		t.Errorf("report = %+v", r)
	}
}

func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	r := sandbox.Rules{Mode: sandbox.WorkspaceWrite, Cwd: dir}
	for _, m := range []sandbox.Method{sandbox.None, sandbox.Bubblewrap, sandbox.Landlock} {
		b.Run(string(m), func(b *testing.B) {
			box := sandbox.Open(b.Context(), r, m)
			if box.Report().Method != m {
				b.Skipf("NOT MEASURED: %s", box.Report().Why)
			}
			for b.Loop() {
				cmd, err := box.Command(dir, "/bin/sh", "-c", "cat /etc/hostname")
				if err != nil {
					b.Fatal(err)
				}
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
			}
		})
	}
}
