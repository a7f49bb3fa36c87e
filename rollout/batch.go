package rollout

import (
	"time"

	"github.com/longrein/longrein"
)

// batch is what one Append writes: lines, in the packer's buffer, that go on
// from the end of the log.
type batch struct {
	packer  *packer
	now     time.Time
	maxLine int
	seq     int64
	sum     sum
	records []longrein.Record
}

// batch begins a batch.
func (l *Log) batch(now time.Time) *batch {
	const keep = 1 << 20 // fixed: a larger buffer is left to the collector
	if cap(l.packer.buf) > keep {
		l.packer.buf, l.packer.tmp = nil, nil
	}
	l.packer.buf, l.packer.off = l.packer.buf[:0], l.size
	return &batch{packer: &l.packer, now: stamp(now), maxLine: l.maxLine, seq: l.seq, sum: l.sum}
}

// stamp is t as a record holds it.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// add appends a record's line.
func (b *batch) add(body longrein.Body, payload []byte) error {
	r := longrein.Record{Seq: b.seq + 1, Time: b.now, Body: body}
	p, start := b.packer, len(b.packer.buf)
	var err error
	if p.buf, err = (header{r.Seq, r.Time, r.Type()}).append(p.buf); err != nil {
		return err
	}
	if err := p.pack(payload); err != nil {
		return err
	}
	b.sum = b.sum.next(p.buf[start:])
	p.buf = appendSum(p.buf, b.sum)
	if len(p.buf)-start > b.maxLine {
		return errLong
	}
	b.seq, b.records = r.Seq, append(b.records, r)
	return nil
}
