package session_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/longrein/longrein/session"
)

// repeated yields a sample again and again until a size is reached, each time
// with other ids, so that nothing is taken for a repeat.
type repeated struct {
	sample []byte
	ids    [][]byte
	left   int64
	n      int
	now    bytes.Buffer
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.now.Len() == 0 {
		if r.left <= 0 {
			return 0, io.EOF
		}
		text := r.sample
		for _, id := range r.ids {
			text = bytes.ReplaceAll(text, id, fmt.Appendf(nil, "%s%04d_", id, r.n))
		}
		r.n++
		r.left -= int64(len(text))
		r.now.Write(text)
	}
	return r.now.Read(p)
}

// samples for the benchmark: one with long outputs, one that tells much twice,
// one that is a single document.
var large = map[string][][]byte{
	"codex-2025-09-unwrapped-part1.jsonl":      {[]byte(`"call_`)},
	"claude-2.1.17-microcompact-compact.jsonl": {[]byte(`"toolu_`), []byte(`"msg_`), []byte(`"uuid":"`), []byte(`"parentUuid":"`)},
	"pi-large-session.jsonl":                   {[]byte(`"toolu_`)},
}

// BenchmarkRead reads 100 MB and tells the session.
func BenchmarkRead(b *testing.B) {
	const size = 100 << 20
	for name, ids := range large {
		sample, err := os.ReadFile(filepath.Join(shared, name))
		if err != nil {
			b.Skip("needs the shared sessions beside the repository")
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				records := 0
				rec, err := session.Read(&repeated{sample: sample, ids: ids, left: size}, nil)
				if err != nil {
					b.Fatal(err)
				}
				for range rec.Sessions[0].Records("x") {
					records++
				}
				b.ReportMetric(float64(records), "records")
			}
			b.ReportMetric(peak(b), "peak-MB")
		})
	}
}

// peak is the most memory that the process has had, in MB.
func peak(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	var kb float64
	if _, err := fmt.Sscan(string(rest), &kb); err != nil {
		b.Log(err)
	}
	return kb / 1024
}

const shared = "../../shared/sessions"
