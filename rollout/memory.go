package rollout

import (
	"fmt"
	"sync"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// MemoryLog numbers records and keeps none of them: it is the log of a thread
// that is to leave nothing behind. It may be used from anywhere at once.
type MemoryLog struct {
	mu     sync.Mutex
	seq    int64
	closed bool
}

// Memory returns a log on no disk.
func Memory() *MemoryLog { return &MemoryLog{} }

// Append is as [Log.Append], and refuses the same bodies.
func (m *MemoryLog) Append(now time.Time, _ bool, bodies ...longrein.Body) ([]longrein.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, fmt.Errorf("append to a log in memory: %w", ErrClosed)
	}
	if _, err := marshal(bodies, limit.Set(nil).Int(limit.Line)); err != nil {
		return nil, fmt.Errorf("append to a log in memory: %w", err)
	}
	records := make([]longrein.Record, len(bodies))
	for i, b := range bodies {
		m.seq++
		records[i] = longrein.Record{Seq: m.seq, Time: stamp(now), Body: b}
	}
	return records, nil
}

// Close ends the log. Further calls do nothing.
func (m *MemoryLog) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}
