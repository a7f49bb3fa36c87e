package compare

import (
	"runtime"
	"testing"

	"github.com/longrein/longrein"
)

// BenchmarkASessionOfFiftyMegabytes replays 5,000 steps under four strategies, as
// the command does, from records in memory.
func BenchmarkASessionOfFiftyMegabytes(b *testing.B) {
	script := long(5_000, 10_000)
	for b.Loop() {
		s := script.session(b)
		for _, make := range []func() longrein.Strategy{strategies["recent"], strategies["background"], strategies["recent"], strategies["background"]} {
			r, err := Replay(b.Context(), s, Options{Strategy: make(), Profile: profile(b, "openai")})
			if err != nil || r.Failed != "" {
				b.Fatal(err, r.Failed)
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/1e6, "MB-heap")
}
