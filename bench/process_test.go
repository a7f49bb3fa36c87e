package bench

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program builds the binary as a release is built, once.
func program(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "longrein")
	out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, "../cmd/longrein").CombinedOutput()
	if err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// BenchmarkVersion is a process that does next to nothing.
func BenchmarkVersion(b *testing.B) {
	bin := program(b)
	if info, err := os.Stat(bin); err == nil {
		defer b.ReportMetric(float64(info.Size())/1e6, "MB-stripped")
	}
	for b.Loop() {
		if err := exec.Command(bin, "version").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstRequest is the time from the start of a process to its first
// request, read whole by a server on this machine.
func BenchmarkFirstRequest(b *testing.B) {
	bin, home := program(b), b.TempDir()
	arrived := make(chan time.Time, 1)
	url := listen(b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		arrived <- time.Now()
		_, _ = io.WriteString(w, response(1, true))
	})
	total, n := time.Duration(0), 0
	for b.Loop() {
		cmd := exec.Command(bin, args(home, url)...)
		start := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		total += (<-arrived).Sub(start)
		n++
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(total)/float64(n)/1e6, "ms/first-request")
}

// BenchmarkTask is a task of 200 steps that each run cat as a command, in one
// process; it reports the peak of its memory.
func BenchmarkTask(b *testing.B) {
	bin, home := program(b), b.TempDir()
	if err := os.WriteFile(filepath.Join(home, "small.txt"), make([]byte, 3000), 0o600); err != nil {
		b.Fatal(err)
	}
	n := 0
	url := listen(b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		n++
		_, _ = io.WriteString(w, command(n, n%201 == 0))
	})
	for b.Loop() {
		cmd := exec.Command(bin, append([]string{"--sandbox", "full"}, args(home, url)...)...)
		cmd.Dir = home
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
		b.ReportMetric(float64(peak)/1024, "MB-peak")
		b.ReportMetric(cmd.ProcessState.UserTime().Seconds()+cmd.ProcessState.SystemTime().Seconds(), "cpu-s")
	}
}

// command is a response that calls cat as a command.
func command(n int, last bool) string {
	text := response(n, last)
	return strings.ReplaceAll(strings.ReplaceAll(text, `"name":"cat"`, `"name":"exec_command"`),
		`{\"path\":\"small.txt\"}`, `{\"command\":\"cat small.txt\"}`)
}

func args(home, url string) []string {
	return []string{
		"--home", home, "-p", "here", "-m", "m",
		"-c", "providers.here.base_url=" + url, "-c", "providers.here.wire=responses",
		"-c", "models.m.context_window=1000000",
		"exec", "go",
	}
}

func listen(b *testing.B, f http.HandlerFunc) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := &http.Server{Handler: f}
	go func() { _ = s.Serve(l) }()
	b.Cleanup(func() { _ = s.Close() })
	return fmt.Sprintf("http://%s/v1", l.Addr())
}
