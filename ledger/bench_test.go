package ledger_test

import (
	"encoding/json"
	"testing"

	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// BenchmarkNote folds 10,000 records with outputs of 3 kB.
func BenchmarkNote(b *testing.B) {
	records := work(10_000/7, 3_000)
	b.ReportAllocs()
	for b.Loop() {
		fold(records, limit.Set{})
	}
	b.ReportMetric(float64(len(records)), "records/op")
}

func BenchmarkAtAReset(b *testing.B) {
	l := fold(work(1_000, 3_000), limit.Set{})
	data, err := json.Marshal(l)
	if err != nil {
		b.Fatal(err)
	}
	head := l.Full()
	b.Run("marshal", func(b *testing.B) {
		for b.Loop() {
			_, _ = json.Marshal(l)
		}
		b.ReportMetric(float64(len(data)), "bytes")
	})
	b.Run("unmarshal", func(b *testing.B) {
		for b.Loop() {
			_ = json.Unmarshal(data, new(ledger.Ledger))
		}
	})
	b.Run("compact", func(b *testing.B) {
		for b.Loop() {
			l.Compact(8 << 10)
		}
	})
	b.Run("probe", func(b *testing.B) {
		probes := l.Probes(0)
		for b.Loop() {
			ledger.Missing(probes, head)
		}
		b.ReportMetric(float64(len(probes)), "probes")
		b.ReportMetric(float64(len(head)), "bytes")
	})
	b.Run("full", func(b *testing.B) {
		for b.Loop() {
			l.Full()
		}
	})
}
