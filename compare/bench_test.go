package compare

import (
	"runtime"
	"sync"
	"testing"
)

// BenchmarkASessionOfFiftyMegabytes replays 5,000 steps under every strategy, as
// the command does, from records in memory.
func BenchmarkASessionOfFiftyMegabytes(b *testing.B) {
	script := long(5_000, 10_000)
	for b.Loop() {
		s := script.session(b)
		var wg sync.WaitGroup
		for _, make := range strategies {
			wg.Go(func() {
				r, err := Replay(b.Context(), s, Options{Strategy: make(), Profile: profile(b, "openai")})
				if err != nil || r.Failed != "" {
					b.Error(err, r.Failed)
				}
			})
		}
		wg.Wait()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/1e6, "MB-heap")
}
