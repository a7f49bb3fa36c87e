package rollout

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/longrein/longrein/limit"
)

// stretch is a part of a log whose lines do not have the sums they should, after
// one that does.
type stretch struct {
	off    int64
	text   []byte // with the last newline; nothing when it is longer than a line may be
	before sum    // of the line before
	seq    int64  // of the record before
	after  sum    // that the next good line follows
	next   int64  // number of that line's record; 0 when there is none
	quoted bool   // a good line refers to bytes in it
}

// lost is how many records stood there, as far as that can be known.
func (d *stretch) lost() int64 {
	if d.next == 0 {
		return int64(bytes.Count(d.text, []byte("\n")))
	}
	return max(0, d.next-d.seq-1)
}

// stretches returns the damaged parts of a log.
func (f *source) stretches(ctx context.Context) ([]stretch, error) {
	r, err := f.reader(0)
	if err != nil {
		return nil, err
	}
	var all []stretch
	d, bad := stretch{before: noSum}, false
	for {
		prev := r.prev
		ln, err := r.lines.next()
		if err == io.EOF {
			return f.closed(all, d, bad, f.size)
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		h, ok := r.sound(ln)
		if !ok {
			bad = true
			continue
		}
		d.after, d.next = follows(prev, ln), h.seq
		if all, err = f.closed(all, d, bad, ln.off); err != nil {
			return nil, err
		}
		d, bad = stretch{off: ln.off + int64(len(ln.text)) + 1, before: r.prev[0], seq: h.seq}, false
	}
}

// closed adds the stretch d, which ends at an offset, when it is one.
func (f *source) closed(all []stretch, d stretch, bad bool, end int64) ([]stretch, error) {
	if !bad {
		return all, nil
	}
	if n := end - d.off; n <= f.store.Limits.Of(limit.Line) {
		d.text = make([]byte, n)
		if _, err := f.ReadAt(d.text, d.off); err != nil {
			return nil, err
		}
	}
	if d.off == 0 && d.next > 0 {
		d.seq = d.guess()
	}
	return append(all, d), nil
}

// guess returns what comes before the log's first record, when its line is
// damaged: by its number if that can be read, or by the number of lines.
func (d *stretch) guess() int64 {
	if h, _, err := cutHeader(d.text); err == nil && h.seq < d.next {
		return h.seq - 1
	}
	return max(0, d.next-1-int64(bytes.Count(d.text, []byte("\n"))))
}

// sound checks a line's sum and header.
func (r *reader) sound(ln line) (header, bool) {
	body, err := r.check(ln)
	if err != nil {
		return header{}, false
	}
	h, _, err := cutHeader(body)
	return h, err == nil
}

// follows returns the one of two sums that a good line follows.
func follows(prev [2]sum, ln line) sum {
	body, have, _ := cutSum(ln.text)
	if prev[0].next(body) == have {
		return prev[0]
	}
	return prev[1]
}

// findQuoted notes which stretches hold bytes that good lines refer to. Those may
// be whole still, though what stands around them is not.
func (f *source) findQuoted(ctx context.Context, damaged []stretch) error {
	if len(damaged) == 0 {
		return nil
	}
	r, err := f.reader(0)
	if err != nil {
		return err
	}
	for {
		ln, err := r.lines.next()
		if err == io.EOF {
			return nil
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if _, ok := r.sound(ln); ok {
			quoted(ln.text, damaged)
		}
	}
}

// quoted notes what a line refers to.
func quoted(text []byte, damaged []stretch) {
	for i := nextMark(text); i >= 0; i = nextMark(text) {
		text = text[i:]
		ref, rest, err := cutReference(text)
		if !bytes.HasPrefix(text, markAt) || err != nil {
			text = text[len(markAny):]
			continue
		}
		text = rest
		for i := range damaged {
			d := &damaged[i]
			if ref.off < d.off+int64(len(d.text)) && ref.off+int64(ref.n) > d.off {
				d.quoted = true
			}
		}
	}
}
