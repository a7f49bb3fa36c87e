package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/longrein/longrein/redact"
	"github.com/longrein/longrein/rollout"
)

// BenchmarkImport makes a thread of a session of 100 MB in which no text repeats.
// peak-MB is the most memory that the process has had.
func BenchmarkImport(b *testing.B) {
	const size = 100 << 20
	path := filepath.Join(b.TempDir(), "session.jsonl")
	if err := codexSession(path, size); err != nil {
		b.Fatal(err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(importMemory))
	b.SetBytes(size)
	for b.Loop() {
		im := &importer{
			store: &rollout.Store{Root: b.TempDir()}, base: func(string) string { return "" },
			redact: redact.New(nil, nil).Replace,
		}
		if _, err := im.file(b.Context(), path); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(peak(b), "peak-MB")
}

// codexSession writes a rollout of Codex's: calls with outputs of 500 bytes to 90 KB.
func codexSession(path string, size int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out, written := bufio.NewWriter(f), 0
	random := rand.New(rand.NewPCG(1, 1))
	line := func(n int, kind, payload string) {
		n, _ = fmt.Fprintf(out, `{"timestamp":"2026-06-01T%02d:%02d:%02d.000Z","type":%q,"payload":{%s}}`+"\n", n/3600%24, n/60%60, n%60, kind, payload) // Flush has the error
		written += n
	}
	words := func(n int) (text []byte) {
		for len(text) < n {
			text = fmt.Appendf(text, "%x ", random.Uint32())
		}
		return text
	}
	line(0, "session_meta", `"id":"0197","timestamp":"2026-06-01T00:00:00.000Z","cwd":"/repo","cli_version":"0.139.0"`)
	for n := 1; written < size; n++ {
		if n%40 == 1 {
			line(n, "event_msg", fmt.Sprintf(`"type":"task_started","turn_id":"%d"`, n))
			line(n, "response_item", fmt.Sprintf(`"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]`, words(300)))
		}
		line(n, "response_item", fmt.Sprintf(`"type":"function_call","name":"shell","arguments":"{\"command\":\"%s\"}","call_id":"c%d"`, words(100), n))
		line(n, "response_item", fmt.Sprintf(`"type":"function_call_output","call_id":"c%d","output":"%s"`, n, words([]int{500, 4_000, 20_000, 90_000}[n%4])))
	}
	return errors.Join(out.Flush(), f.Close())
}

func peak(b *testing.B) float64 {
	b.Helper()
	status, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		var kb float64
		if n, _ := fmt.Sscanf(lines.Text(), "VmHWM: %g kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	return 0
}
