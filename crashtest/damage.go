package crashtest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/longrein/longrein/rollout"
)

// damages changes single bytes of what is at rest.
func (l *life) damages() error {
	for n := range int64(40) {
		if len(l.workers) == 0 {
			return nil
		}
		r := rand.New(rand.NewPCG(uint64(l.seed), uint64(1<<40+n)))
		w := l.workers[r.IntN(len(l.workers))]
		size, err := l.size(w)
		if err != nil || size == 0 {
			return err
		}
		if err := l.damage(w, r.Int64N(size), byte(1+r.IntN(255)), r); err != nil {
			return err
		}
	}
	return nil
}

func (l *life) size(w *worker) (int64, error) {
	info, err := l.disk.Stat(w.log.Path())
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// damage changes one byte of a log and checks that it is found, and costs no more
// than the records in which it is.
func (l *life) damage(w *worker, at int64, change byte, r *rand.Rand) error {
	l.count.Damages++
	d := l.disk.Crash(Kill, Op{}, r)
	n, err := d.find("open", w.log.Path())
	if err != nil {
		return err
	}
	raw := n.file.now.bytes()
	for _, c := range []*content{&n.file.now, &n.file.disk} {
		c.write(d.era, []byte{raw[at] ^ change}, at)
	}
	h := hurt{w: w, start: int64(bytes.LastIndexByte(raw[:at], '\n') + 1), lost: lost(raw, at, w.begun)}
	err = h.reads(l.store(d))
	if err == nil {
		err = h.opens(l, d, r)
	}
	if err != nil {
		return fmt.Errorf("byte %d of the log of %s is %#x instead of %#x: %w", at, short(w), raw[at]^change, raw[at], err)
	}
	return nil
}

// hurt is a log with a damaged byte.
type hurt struct {
	w     *worker
	start int64          // of the damaged line
	lost  map[int64]bool // records that may not be readable
}

var reference = regexp.MustCompile(`\{"\$at":\[(\d+),(\d+),\d+\]\}`)

// lost returns the records whose own bytes hold the damaged one, or that repeat a
// stretch of the log which does.
func lost(raw []byte, at, first int64) map[int64]bool {
	out := map[int64]bool{}
	off := int64(0)
	for seq := first; off < int64(len(raw)); seq++ {
		line, _, _ := bytes.Cut(raw[off:], []byte("\n"))
		end := off + int64(len(line)) + 1
		hit := off <= at && at < end
		for _, m := range reference.FindAllSubmatch(line, -1) {
			from, _ := strconv.ParseInt(string(m[1]), 10, 64)
			n, _ := strconv.ParseInt(string(m[2]), 10, 64)
			hit = hit || from <= at && at < from+n
		}
		if hit {
			out[seq] = true
		}
		for n := int64(1); hit && off == 0 && n < first; n++ {
			out[n] = true // a fork's first line says where they are
		}
		off = end
	}
	return out
}

// reads fails when reading all does not find the damage where it is, or finds a
// record that was not written, or misses one that is not damaged.
func (h *hurt) reads(s *rollout.Store) error {
	next, found := int64(1), false
	for r, err := range s.Read(h.w.id) {
		var d *rollout.ErrDamaged
		switch {
		case errors.As(err, &d):
			found = found || d.Offset == h.start && strings.HasSuffix(d.Path, h.w.id+".jsonl")
			continue
		case err != nil:
			return err
		}
		for ; next < r.Seq; next++ {
			if !h.lost[next] {
				return fmt.Errorf("record %d is lost with it", next)
			}
		}
		if next++; r.Seq > int64(len(h.w.records)) || !reflect.DeepEqual(r, h.w.records[r.Seq-1]) {
			return fmt.Errorf("record %d comes back as %+v", r.Seq, r)
		}
	}
	for ; next <= int64(len(h.w.records)); next++ {
		if !h.lost[next] {
			return fmt.Errorf("record %d is lost with it", next)
		}
	}
	if !found {
		return fmt.Errorf("nobody finds it in the line from byte %d on", h.start)
	}
	return nil
}

// opens fails when the thread cannot go on, unless its first line is damaged, or
// goes on with what was never recorded, or without a word.
func (h *hurt) opens(l *life, d *Disk, r *rand.Rand) error {
	log, tail, err := l.store(d).Open(h.w.id)
	var damaged *rollout.ErrDamaged
	if errors.As(err, &damaged) && h.start == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, r := range tail.Records {
		if h.lost[r.Seq] {
			continue // a warning stands for it
		}
		if r.Seq > int64(len(h.w.records)) || !reflect.DeepEqual(r, h.w.records[r.Seq-1]) {
			return errors.Join(fmt.Errorf("opening gives record %d as %+v", r.Seq, r), log.Close())
		}
	}
	from := tail.LastSeq + 1
	if len(tail.Records) > 0 {
		from = tail.Records[0].Seq
	}
	missing := int64(len(h.w.records)) - from + 1 - int64(len(tail.Records))
	if missing > 0 && len(tail.Warnings) == 0 {
		return errors.Join(fmt.Errorf("%d records are missing and nobody is warned", missing), log.Close())
	}
	return errors.Join(h.goesOn(log, tail, r), log.Close())
}

// goesOn lets the thread work with what is left of it.
func (h *hurt) goesOn(log *rollout.Log, tail *rollout.Tail, r *rand.Rand) error {
	w, err := h.w.heir(log, tail, r)
	if err != nil {
		return err
	}
	if int64(len(w.records)) != tail.LastSeq {
		return fmt.Errorf("it goes on behind record %d of %d", tail.LastSeq, len(w.records))
	}
	w.lame, w.ran, w.over = true, map[int64]int{}, map[int64]bool{} // what says that a call ran may be lost
	return w.goOn()
}
