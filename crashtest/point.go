package crashtest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/turn"
)

// watch is told of everything that the threads do to the disk. Here processes die.
func (l *life) watch(op Op) Fault {
	if op.Kind == OpRead {
		return l.faulty(op)
	}
	if l.ops = append(l.ops, op); len(l.ops) > 30 {
		l.ops = slices.Delete(l.ops, 0, 10)
	}
	for range l.crashes(op) {
		l.crash(op)
	}
	if l.failed == nil && l.say.oneIn(120) {
		cause := l.cause()
		l.note("%s during %v", cause, op)
		d := l.disk.Crash(cause, op, l.say.Rand)
		l.disk.Watch = nil
		panic(crashed{d})
	}
	return l.faulty(op)
}

func (l *life) cause() Cause {
	if l.say.oneIn(3) {
		return Kill
	}
	return Power
}

// crashes is how many crash points an operation has.
func (l *life) crashes(op Op) int {
	switch {
	case l.failed != nil || l.active == nil:
		return 0
	case strings.HasSuffix(op.Path, ".jsonl") && (op.Kind == OpWrite || op.Kind == OpSync):
		return 4
	case l.say.oneIn(2):
		return 1
	}
	return 0
}

// faulty lets an operation fail as the disk does at this time.
func (l *life) faulty(op Op) Fault {
	if l.bad.err == nil || l.bad.over {
		return Fault{}
	}
	if l.bad.left--; l.bad.left > 0 {
		return Fault{}
	}
	if l.bad.name == "read-only" {
		l.disk.ReadOnly = true
	}
	if !slices.Contains(bitten[l.bad.name], op.Kind) {
		return Fault{}
	}
	l.bad.over = l.say.oneIn(2)
	return Fault{
		Err:  l.bad.err,
		Part: l.say.IntN(len(op.Data) + 1),
		Done: op.Kind == OpRename && l.say.oneIn(2),
		Kept: l.say.Rand,
	}
}

// bitten is what fails, by the name of a fault.
var bitten = map[string][]OpKind{
	"read error":  {OpRead},
	"sync error":  {OpSync, OpSyncDir},
	"short write": {OpWrite},
	"write error": {OpWrite},
	"stale":       {OpRename, OpCreate},
}

// crash checks one crash point: what the next process finds, and how it goes on.
func (l *life) crash(op Op) {
	l.point++
	r := rand.New(rand.NewPCG(uint64(l.seed), uint64(l.point)))
	cause := l.cause()
	d := l.disk.Crash(cause, op, r)
	d.Room, d.ReadOnly = -1, false
	l.count.add(cause, 0)
	if err := l.examine(d, r, 0); err != nil {
		l.failed = fmt.Errorf("crash point %d, %s during %v: %w", l.point, cause, op, err)
	}
}

// examine opens the threads on a disk after a crash, and lets the one that was
// working go on for a while. Now and then that crashes too.
func (l *life) examine(d *Disk, r *rand.Rand, depth int) error {
	w := l.active
	if r.IntN(8) == 0 {
		w = l.workers[r.IntN(len(l.workers))]
	}
	return l.revive(d, w, r, depth)
}

func (l *life) revive(d *Disk, w *worker, r *rand.Rand, depth int) error {
	now := w // what the next crash is measured by
	var nested error
	if depth == 0 && r.IntN(3) == 0 {
		left := r.IntN(25)
		d.Watch = func(op Op) Fault {
			if left--; op.Kind == OpRead || left != 0 {
				return Fault{}
			}
			cause := []Cause{Kill, Power, Power}[r.IntN(3)]
			l.count.add(cause, 1)
			if err := l.revive(d.Crash(cause, op, r), now, r, 1); err != nil {
				nested = fmt.Errorf("and while it recovers %s during %v: %w", cause, op, err)
			}
			return Fault{}
		}
	}
	log, tail, err := l.open(d, w)
	if err != nil || log == nil {
		return errors.Join(err, nested)
	}
	h, err := w.heir(log, tail, r)
	if err != nil {
		return err
	}
	now = h
	if err := h.knows(); err != nil {
		return err
	}
	err = errors.Join(h.goOn(), h.log.Close(), nested)
	if err != nil || r.IntN(10) > 0 {
		return err
	}
	return l.reads(d, h)
}

// open opens a thread's log, and compares what it gives with what there was. It
// returns no log when there was nothing to be kept.
func (l *life) open(d *Disk, w *worker) (*rollout.Log, *rollout.Tail, error) {
	before := d.read(w.path)
	log, tail, err := l.store(d).Open(w.id)
	var damaged *rollout.ErrDamaged
	if w.acked < w.begun && (errors.Is(err, fs.ErrNotExist) || errors.As(err, &damaged)) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if w.acked < w.begun && (tail.LastSeq < w.begun || w.forked && int64(len(w.records)) < w.begun) {
		return nil, nil, log.Close() // it was to begin
	}
	w.path = log.Path()
	if err := d.aside(w.path, before, tail.Warnings); err != nil {
		return log, tail, err
	}
	return log, tail, w.compare(tail)
}

// read returns a file's content as it is now, nothing when there is none.
func (d *Disk) read(path string) content {
	n, err := d.find("open", path)
	if err != nil || n.file == nil {
		return content{}
	}
	d.era = new(era)
	return n.file.now.share()
}

// aside fails when something of a log is gone that is neither said nor kept beside
// it.
func (d *Disk) aside(path string, before content, warnings []string) error {
	cut := before.size - d.read(path).size
	if cut <= 0 {
		return nil
	}
	rest := before.bytes()[before.size-cut:]
	if !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "cut off") }) {
		return fmt.Errorf("%d bytes were cut off without a word: %q", cut, warnings)
	}
	dir, name := filepath.Split(path)
	entries, err := d.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		kept := d.read(dir + e.Name())
		if strings.HasPrefix(e.Name(), name+".torn-") && bytes.Equal(kept.bytes(), rest) {
			return nil
		}
	}
	return fmt.Errorf("%d bytes were cut off and are nowhere", cut)
}

// compare fails when a tail is not that of a prefix of the records with all that
// were acknowledged.
func (w *worker) compare(tail *rollout.Tail) error {
	n := tail.LastSeq
	if n < w.acked || n > int64(len(w.records)) {
		return fmt.Errorf("%d records are left, %d were acknowledged of %d: %q", n, w.acked, len(w.records), tail.Warnings)
	}
	expected := lastWindow(w.records[:n])
	if len(tail.Records) != len(expected) {
		return fmt.Errorf("opening gives %d records up to %d, not %d: %q", len(tail.Records), n, len(expected), tail.Warnings)
	}
	for i, r := range tail.Records {
		if !reflect.DeepEqual(r, expected[i]) {
			return fmt.Errorf("record %d comes back as %+v, and was %+v", expected[i].Seq, r, expected[i])
		}
	}
	return nil
}

// lastWindow returns the records from the last window on.
func lastWindow(records []longrein.Record) []longrein.Record {
	for i, r := range slices.Backward(records) {
		if _, ok := r.Body.(longrein.Window); ok {
			return records[i:]
		}
	}
	return records
}

// knows fails when a machine that has read its log knows something else than one
// does that has seen all of it happen.
func (w *worker) knows() error {
	if len(w.records) >= len(w.wants) {
		return nil // it is a crash's own crash
	}
	got, expected := wanted(w.m.State()), w.wants[len(w.records)]
	if !reflect.DeepEqual(got, expected) {
		return fmt.Errorf("after record %d the machine knows %+v, not %+v", len(w.records), got, expected)
	}
	return nil
}

// settle gives settings to a thread whose own were lost before they were durable.
func (w *worker) settle() error {
	if w.m.State().Next.Wire != "" {
		return nil
	}
	return w.tell(turn.Change{Settings: w.say.settings(w.strategy)})
}

// goOn lets a thread work until its model is asked, or it rests.
func (w *worker) goOn() error {
	w.fold = nil
	if err := errors.Join(w.settle(), w.tell(turn.Resume{})); err != nil {
		return err
	}
	for n := 0; n < 12 && w.broken == nil; n++ {
		i := slices.IndexFunc(w.todo, func(e *effect) bool { _, ask := e.Effect.(turn.Ask); return !ask })
		if i < 0 {
			break
		}
		if err := w.answer(i, false); err != nil {
			return err
		}
	}
	return w.broken
}

// reads fails when reading all of a log does not give all of its records.
func (l *life) reads(d *Disk, w *worker) error {
	i := 0
	for r, err := range l.store(d).Read(w.id) {
		if err != nil {
			return err
		}
		if i >= len(w.records) || r.Seq != w.records[i].Seq || !reflect.DeepEqual(r, w.records[i]) {
			return fmt.Errorf("reading all gives %d %+v where record %d was", r.Seq, r.Body, i+1)
		}
		i++
	}
	if i != len(w.records) {
		return fmt.Errorf("reading all gives %d records of %d", i, len(w.records))
	}
	return nil
}

// reopen finds all threads as the disk has them.
func (l *life) reopen() error {
	var kept []*worker
	for _, w := range l.workers {
		ok, err := l.find(w)
		if err != nil {
			return fmt.Errorf("thread %s, opened again: %w", short(w), err)
		}
		if ok {
			kept = append(kept, w)
		}
	}
	l.workers, l.active = kept, nil
	return nil
}

// find opens a thread again. It returns false when there is none and need not be.
func (l *life) find(w *worker) (bool, error) {
	l.active = w
	w.todo, w.log, w.broken = nil, nil, nil
	log, tail, err := l.open(l.disk, w)
	if err != nil && l.bad.err != nil && errors.Is(err, l.bad.err) {
		w.broken = err
		return true, nil // until the disk is mended
	}
	if err != nil || log == nil {
		return false, err
	}
	if n := tail.LastSeq; n < int64(len(w.records)) {
		l.note("%s has lost %d records", short(w), int64(len(w.records))-n)
		w.records, w.wants = slices.Clip(w.records[:n]), slices.Clip(w.wants[:n+1])
		if err := w.refold(); err != nil {
			return false, err
		}
	}
	w.log, w.m = log, w.machine()
	if err := w.m.Load(loadable(tail)...); err != nil {
		return false, err
	}
	return true, errors.Join(w.knows(), w.settle())
}
