package crashtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/turn"
)

// root is where the store of a life is.
const root = "/home/longrein"

// life is what happens to a store from its beginning on: threads work, fork and go
// back, the process ends and begins again, and the disk fails. Everything in it
// follows from its seed.
type life struct {
	seed    int64
	say     script
	disk    *Disk
	limits  limit.Set
	blobs   bool
	clock   time.Time
	workers []*worker
	active  *worker // that is doing something now
	bad     fault   // what is wrong with the disk
	count   Counts
	steps   []string // what was done, for a report
	ops     []Op     // the last ones
	point   int      // counts crash points
	failed  error
	most    int // crash points in this life
}

// fault is what is wrong with a disk for a while.
type fault struct {
	name string
	err  error
	left int // operations before it bites
	over bool
}

func newLife(seed int64) *life {
	r := rand.New(rand.NewPCG(uint64(seed), 0x10c6))
	l := &life{seed: seed, say: script{r}, disk: NewDisk(), clock: time.UnixMilli(1_800_000_000_000).UTC(), most: 1500}
	l.blobs = l.say.oneIn(8)
	l.limits = limit.Set{"lock-tries": 1, "memory-every": 20}
	if l.blobs {
		l.limits["inline-text"] = 4 << 10
	}
	l.disk.Watch = l.watch
	return l
}

func (l *life) store(d *Disk) *rollout.Store {
	return &rollout.Store{Root: root, Limits: l.limits, Disk: d}
}

// live goes on until the life has had its crash points, or something has happened
// that must not.
func (l *life) live() error {
	for n := 0; l.point < l.most && n < 4000; n++ {
		if err := l.step(l.next); err != nil {
			return err
		}
	}
	if err := l.step(l.restart); err != nil {
		return err
	}
	return l.damages()
}

// crashed is what a life is told of its own end.
type crashed struct{ disk *Disk }

// step does one thing. A process that dies of that begins again, as often as it
// takes.
func (l *life) step(do func() error) error {
	died, err := l.dies(do)
	for died && err == nil {
		l.note("the process begins again")
		died, err = l.dies(l.reopen)
	}
	return errors.Join(err, l.failed)
}

// dies reports whether the process died while it did something.
func (l *life) dies(do func() error) (died bool, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case crashed:
			died, l.disk = true, r.disk
			l.disk.Watch = l.watch
		default:
			panic(r)
		}
	}()
	return false, do()
}

// next lets the next thing happen.
func (l *life) next() error {
	if i := slices.IndexFunc(l.workers, func(w *worker) bool { return w.broken != nil }); i >= 0 {
		return l.trouble(l.workers[i])
	}
	if len(l.workers) == 0 || len(l.workers) < 4 && l.say.oneIn(80) {
		return l.begin()
	}
	w := pick(l.say, l.workers...)
	l.active = w
	if err := l.act(w); err != nil {
		return err
	}
	if w.broken != nil {
		return l.trouble(w)
	}
	return nil
}

func (l *life) note(format string, args ...any) {
	l.steps = append(l.steps, fmt.Sprintf(format, args...))
}

// newID is an id as threads have it, drawn from the seed.
func (l *life) newID() string {
	var u uuid.UUID
	for i := range u {
		u[i] = byte(l.say.IntN(256))
	}
	ms := l.clock.UnixMilli()
	for i := range 6 {
		u[i] = byte(ms >> (8 * (5 - i)))
	}
	u[6], u[8] = u[6]&0x0f|0x70, u[8]&0x3f|0x80
	return u.String()
}

// begin begins a thread.
func (l *life) begin() error {
	w := newWorker(l.newID(), pick(l.say, strategies...), l.limits, l.say, &l.clock)
	l.note("%s begins with %s", short(w), w.strategy)
	l.workers, l.active = append(l.workers, w), w
	log, err := l.store(l.disk).Create(w.id)
	if err != nil {
		w.broken = err
		return l.trouble(w)
	}
	w.log, w.m = log, w.machine()
	first := longrein.Thread{ID: w.id, Cwd: "/src", Format: longrein.LogFormat, Base: "Be good. " + l.say.text(200)}
	out := w.m.Begin(l.clock, first, l.say.settings(w.strategy))
	out.Sync = l.say.oneIn(2)
	if err := w.apply(out); err != nil || w.broken == nil {
		return err
	}
	return l.trouble(w)
}

func short(w *worker) string { return w.id[len(w.id)-4:] }

// act lets one thing happen to a thread.
func (l *life) act(w *worker) error {
	if len(w.todo) > 0 && !l.say.oneIn(6) {
		i := l.say.IntN(len(w.todo))
		l.note("%s answers %T", short(w), w.todo[i].Effect)
		return w.answer(i, l.blobs)
	}
	switch n := l.say.IntN(40); {
	case n < 14:
		return l.tell(w, turn.Submit{Text: l.say.text(200)})
	case n < 17:
		return l.tell(w, turn.Steer{Text: l.say.text(80)})
	case n < 19:
		return l.tell(w, turn.Interrupt{})
	case n < 22:
		return l.tell(w, turn.Resume{})
	case n < 24:
		return l.pin(w)
	case n < 26:
		return l.tell(w, turn.Renew{})
	case n < 27:
		return l.tell(w, turn.Change{Settings: l.say.settings(w.strategy)})
	case n < 28:
		return l.tell(w, turn.Warn{Warning: longrein.Warning{Text: l.say.text(60)}})
	case n < 31:
		return l.rollback(w)
	case n < 32:
		return l.undo(w)
	case n < 34:
		return l.fork(w)
	case n < 36:
		return l.restart()
	}
	l.breaks()
	return nil
}

func (l *life) tell(w *worker, m turn.Message) error {
	l.note("%s %T", short(w), m)
	return w.tell(m)
}

func (l *life) pin(w *worker) error {
	entries := w.m.State().Entries()
	if len(entries) == 0 {
		return nil
	}
	e := pick(l.say, entries...)
	if e.Seq == 0 {
		return nil
	}
	p := longrein.Pinned{Seq: e.Seq, Item: e.Item, Once: l.say.oneIn(2)}
	if l.say.oneIn(4) {
		p = longrein.Pinned{Seq: e.Seq, Off: true}
	}
	return l.tell(w, turn.Pin{Pinned: p})
}

// rollback takes a thread back to any record at which no turn ran.
func (l *life) rollback(w *worker) error {
	if w.m.Running() || !w.m.Resting() {
		return nil
	}
	old, to, err := l.past(w)
	if err != nil || old == nil {
		return err
	}
	l.note("%s back to %d", short(w), to)
	return w.tell(turn.Rollback{Rollback: longrein.Rollback{To: to, Turns: 1}, Window: old.Checkpoint()})
}

// past is a machine as one was after an older record, nil when a turn ran then.
func (l *life) past(w *worker) (*turn.Machine, int64, error) {
	if w.acked <= w.begun+1 {
		return nil, 0, nil
	}
	to := w.begun + 1 + l.say.Int64N(w.acked-w.begun)
	m := w.machine()
	if err := m.Load(w.records[:to]...); err != nil {
		return nil, 0, err
	}
	if m.Running() {
		return nil, 0, nil
	}
	return m, to, nil
}

func (l *life) undo(w *worker) error {
	if w.m.Running() || !w.m.Resting() {
		return nil
	}
	return l.tell(w, turn.Undo{Undone: longrein.Undone{Turn: 1, Root: "/src", Changed: []longrein.FileChange{{Path: "a", Op: longrein.FileModified}}}})
}

// fork begins a thread that goes on where another stood.
func (l *life) fork(w *worker) error {
	old, at, err := l.past(w)
	if err != nil || old == nil || len(l.workers) >= 6 {
		return err
	}
	c := newWorker(l.newID(), w.strategy, l.limits, l.say, &l.clock)
	l.note("%s forks %s after %d", short(c), short(w), at)
	c.records = slices.Clip(w.records[:at])
	c.wants = slices.Clip(w.wants[:at+1])
	c.acked, c.begun, c.forked = at, at+1, true
	if err := c.refold(); err != nil {
		return err
	}
	l.workers, l.active = append(l.workers, c), c
	first := longrein.Thread{ID: c.id, Cwd: "/src", Format: longrein.LogFormat, Base: w.fold.Thread.Base}
	log, rec, err := l.store(l.disk).Fork(w.id, at, l.clock, first)
	if err != nil {
		c.broken = err
		return l.trouble(c)
	}
	c.log = log
	if err := c.expect(rec); err != nil {
		return err
	}
	c.acknowledge()
	c.m = c.machine()
	return c.m.Load(c.records...)
}

// breaks lets something be wrong with the disk from now on.
func (l *life) breaks() {
	l.mend()
	l.bad = pick(l.say,
		fault{name: "full", err: syscall.ENOSPC},
		fault{name: "short write", err: errShort},
		fault{name: "write error", err: syscall.EIO},
		fault{name: "sync error", err: syscall.EIO},
		fault{name: "read error", err: syscall.EIO},
		fault{name: "read-only", err: syscall.EROFS},
		fault{name: "stale", err: errStale},
	)
	l.bad.left = l.say.IntN(8)
	if l.bad.name == "full" {
		l.disk.Room = l.say.Int64N(2000)
	}
	l.note("the disk: %s", l.bad.name)
}

var (
	errShort = errors.New("short write")
	errStale = errors.New("stale file handle")
)

// trouble is what follows when a log takes no more: the error says what is wrong,
// the thread is as its log has it, and when that is mended all goes on.
func (l *life) trouble(w *worker) error {
	l.note("%s stops: %v", short(w), w.broken)
	if l.bad.err == nil || !errors.Is(w.broken, l.bad.err) {
		return fmt.Errorf("thread %s stops without a cause: %w", short(w), w.broken)
	}
	l.count.Faults++
	for tries := l.say.IntN(3); tries > 0; tries-- {
		_ = l.close() // the disk is as it was
		if err := l.reopen(); err != nil {
			return err
		}
	}
	l.mend()
	_ = l.close()
	return l.reopen()
}

func (l *life) mend() {
	l.bad = fault{}
	l.disk.Room, l.disk.ReadOnly = -1, false
	l.note("the disk is mended")
}

// restart ends the process in peace, and begins it again.
func (l *life) restart() error {
	l.mend()
	l.note("the process ends")
	for _, w := range l.workers {
		if l.active = w; w.broken == nil {
			if err := w.tell(turn.Leave{}); err != nil {
				return err
			}
		}
	}
	if err := l.close(); err != nil {
		return err
	}
	for _, w := range l.workers {
		if w.broken == nil {
			w.acknowledge()
		}
	}
	return l.reopen()
}

// close closes all logs.
func (l *life) close() error {
	var errs []error
	for _, w := range l.workers {
		if w.log != nil {
			errs = append(errs, w.log.Close())
			w.log = nil
		}
	}
	return errors.Join(errs...)
}
