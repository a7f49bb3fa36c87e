//go:build linux || darwin

package shell_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/longrein/longrein/tool/shell"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func run(t *testing.T, ctx context.Context, timeout time.Duration, script string) (shell.Result, string) {
	t.Helper()
	var out bytes.Buffer
	c := shell.Command{Cmd: exec.Command("/bin/sh", "-c", script), Timeout: timeout, Grace: 300 * time.Millisecond}
	c.Cmd.Dir = t.TempDir()
	res, err := c.Run(ctx, &out)
	if err != nil {
		t.Fatal(err)
	}
	return res, out.String()
}

func TestRun(t *testing.T) {
	tests := map[string]struct {
		script string
		want   shell.Result
		out    string
	}{
		"streams are merged in order":           {"echo 1; echo 2 >&2; echo 3", shell.Result{}, "1\n2\n3\n"},
		"the exit code is kept":                 {"exit 7", shell.Result{Code: 7}, ""},
		"a signal is told as a shell would":     {"kill -KILL $$", shell.Result{Code: 137}, ""},
		"time runs out":                         {"echo begun; sleep 60", shell.Result{Code: 143, Ending: shell.TimedOut}, "begun\n"},
		"a program may clean up":                {"trap 'echo bye; exit 3' TERM; sleep 60 & wait", shell.Result{Code: 3, Ending: shell.TimedOut}, "bye\n"},
		"a program that does not listen":        {"trap '' TERM; echo begun; while :; do sleep 1; done", shell.Result{Code: 137, Ending: shell.TimedOut}, "begun\n"},
		"a process in the background is ended":  {"sleep 60 & echo done", shell.Result{Left: true}, "done\n"},
		"a late line of the background is kept": {"(sleep 0.1; echo late) & echo done", shell.Result{}, "done\nlate\n"},
		"there is nothing to read":              {"cat; echo end", shell.Result{}, "end\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, out := run(t, t.Context(), 400*time.Millisecond, tt.script)
			if got.Took > 3*time.Second {
				t.Errorf("took %v", got.Took)
			}
			got.Took = 0
			if got != tt.want || out != tt.out {
				t.Errorf("got %+v %q, want %+v %q", got, out, tt.want, tt.out)
			}
		})
	}
}

func TestInterruptEndsEverythingAndKeepsWhatWasPrinted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	time.AfterFunc(200*time.Millisecond, stop)
	res, out := run(t, ctx, time.Minute, "trap '' TERM; while :; do echo y; done")
	if res.Ending != shell.Interrupted || !strings.HasPrefix(out, "y\ny\n") {
		t.Errorf("ending %v, %d bytes", res.Ending, len(out))
	}
}

func TestGrandchildrenThatDoNotListenAreKilled(t *testing.T) {
	for name, script := range map[string]string{
		"in the group":      "(trap '' TERM; echo $$; exec sleep 61) & sh -c 'trap \"\" TERM; echo $$; sleep 62'",
		"in another one":    "setsid -w sh -c 'trap \"\" TERM; echo $$; sleep 63; sleep 63'; :",
		"holding the pipe":  "sh -c 'trap \"\" TERM; echo $$; sleep 64; sleep 64' & exit 0",
		"while leader ends": "sh -c 'trap \"\" TERM; echo $$; sleep 65; sleep 65' & wait",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath("setsid"); err != nil && strings.Contains(script, "setsid") {
				t.Skip("NOT TESTED: setsid is not installed")
			}
			_, out := run(t, t.Context(), 300*time.Millisecond, script)
			for _, field := range strings.Fields(out) {
				pid, err := strconv.Atoi(field)
				if err != nil {
					t.Fatalf("printed %q", out)
				}
				if !gone(pid) {
					t.Errorf("%d still runs", pid)
				}
			}
		})
	}
}

// gone waits for a killed process to leave the process table, or to be a zombie
// that some init has not collected.
func gone(pid int) bool {
	for range 100 {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil && syscall.Kill(pid, 0) != nil || strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestWhatCannotStartIsAnError(t *testing.T) {
	c := shell.Command{Cmd: exec.Command("/no/such/program"), Timeout: time.Second}
	if _, err := c.Run(t.Context(), &bytes.Buffer{}); err == nil {
		t.Error("no error")
	}
}
