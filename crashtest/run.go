package crashtest

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// Options says how much is to be tried.
type Options struct {
	Seed    int64 // of the first life
	Seeds   int   // how many lives; 0 goes by Points
	Points  int64 // how many crash points at least; 0 goes by Seeds
	Workers int   // lives at a time; 0 is as many as there are processors
	// Progress is called now and then, by one goroutine at a time.
	Progress func(Counts)
}

// Counts is how much was tried.
type Counts struct {
	Lives int64 `json:"lives"`
	// Points are crash points: a disk as a crash leaves it, on which a thread was
	// opened, compared, and went on. Nested are those of them in which a process
	// died while it recovered.
	Points    int64 `json:"points"`
	Kills     int64 `json:"kills"`
	PowerCuts int64 `json:"power_cuts"`
	Nested    int64 `json:"nested"`
	// Faults are errors of the disk that stopped a thread which went on later.
	Faults  int64 `json:"faults"`
	Damages int64 `json:"damages"` // single bytes that were changed
}

func (c *Counts) add(cause Cause, nested int64) {
	c.Points++
	c.Nested += nested
	if cause == Kill {
		c.Kills++
	} else {
		c.PowerCuts++
	}
}

func (c *Counts) sum(d Counts) {
	c.Lives += d.Lives
	c.Points += d.Points
	c.Kills += d.Kills
	c.PowerCuts += d.PowerCuts
	c.Nested += d.Nested
	c.Faults += d.Faults
	c.Damages += d.Damages
}

// Failure is something that must not happen. The same version finds it again with
// the same seed.
type Failure struct {
	Seed  int64    `json:"seed"`
	What  string   `json:"what"`
	Steps []string `json:"steps"` // what led to it, the last ones
	Ops   []string `json:"ops"`   // of the disk, the last ones
}

// Error says what happened and how to see it again.
func (f *Failure) Error() string {
	return fmt.Sprintf("seed %d: %s\nwhat led to it:\n  %s\nthe disk's last operations:\n  %s\nlongrein crashtest --seed %d shows it again",
		f.Seed, f.What, strings.Join(f.Steps, "\n  "), strings.Join(f.Ops, "\n  "), f.Seed)
}

// Run lets lives go by until there were enough of them, or one has failed: then
// the error is a [*Failure], of the smallest seed that was seen to fail.
func Run(ctx context.Context, o Options) (Counts, error) {
	p := pool{o: o}
	p.next.Store(o.Seed)
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { p.work(ctx) })
	}
	wg.Wait()
	if p.failure != nil {
		return p.total, p.failure
	}
	return p.total, ctx.Err()
}

// pool is lives side by side.
type pool struct {
	o    Options
	next atomic.Int64

	mu      sync.Mutex // guards what follows
	total   Counts
	failure *Failure
}

func (p *pool) work(ctx context.Context) {
	for ctx.Err() == nil && p.wants() {
		seed := p.next.Add(1) - 1
		if p.o.Seeds > 0 && seed >= p.o.Seed+int64(p.o.Seeds) {
			return
		}
		p.take(live(seed))
	}
}

func (p *pool) wants() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	enough := p.o.Seeds <= 0 && p.total.Points >= p.o.Points
	return p.failure == nil && !enough
}

func (p *pool) take(c Counts, f *Failure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total.sum(c)
	if f != nil && (p.failure == nil || f.Seed < p.failure.Seed) {
		p.failure = f
	}
	if p.o.Progress != nil {
		p.o.Progress(p.total)
	}
}

// live lets one life go by.
func live(seed int64) (c Counts, failure *Failure) {
	l := newLife(seed)
	err := l.live()
	l.count.Lives = 1
	if err != nil {
		failure = l.failure(err)
	}
	return l.count, failure
}

func (l *life) failure(err error) *Failure {
	f := &Failure{Seed: l.seed, What: err.Error(), Steps: l.steps[max(0, len(l.steps)-40):]}
	for _, op := range l.ops {
		f.Ops = append(f.Ops, op.String())
	}
	return f
}
