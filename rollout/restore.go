package rollout

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
)

// restore puts right what it can of a stretch, from its beginning on, and returns
// how many bytes and records that are. What it changes is certain: one bit of a
// record is wrong, which its sum tells; or the sum, the frame around it or the
// newline is wrong, and the next line tells what it was.
func (d *stretch) restore() (done int, records int64) {
	for done < len(d.text) {
		piece := d.piece(done)
		fixed, sum, ok := d.restored(piece, d.before, d.seq+1)
		if !ok {
			return done, records
		}
		copy(piece, fixed)
		d.before, d.seq = sum, d.seq+1
		done, records = done+len(piece), records+1
	}
	return done, records
}

// piece returns what should be the line at an index, with its newline.
func (d *stretch) piece(at int) []byte {
	text := d.text[at:]
	if d.next > 0 && d.lost() == 1 {
		return text // whatever newlines there are
	}
	n := bytes.IndexByte(text, '\n') + 1
	if n == 0 {
		return text
	}
	if i := joint(text[:n-1]); i >= 0 {
		n = i + 1
	}
	return text[:n]
}

// restored returns a line as it was.
func (d *stretch) restored(line []byte, before sum, seq int64) (fixed []byte, s sum, ok bool) {
	if len(line) <= sumLength+1 {
		return nil, s, false
	}
	body, have, _ := cutSum(line[:len(line)-1])
	body, s = bytes.Clone(body), before.next(body)
	switch {
	case s == have:
	case d.next == seq+1 && s == d.after:
	default:
		i, bit, ok := flipped(len(body), s.value()^have.value())
		if !ok {
			return nil, s, false
		}
		body[i] ^= bit
		s = have
	}
	h, _, err := cutHeader(body)
	return appendSum(body, s), s, err == nil && h.seq == seq && before.next(body) == s
}

// flipped returns the one bit in n bytes that changes their CRC by diff. There is
// at most one such bit in any line.
func flipped(n int, diff uint32) (i int, bit byte, ok bool) {
	var by [8]uint32 // what each bit of the byte changes
	for b := range by {
		by[b] = castagnoli[1<<b]
	}
	for i := n - 1; i >= 0; i-- {
		for b, change := range by {
			if change == diff {
				return i, 1 << b, true
			}
			by[b] = castagnoli[byte(change)] ^ change>>8
		}
	}
	return 0, 0, false
}

// value is the checksum as a number; 0 when its digits are none.
func (s sum) value() uint32 {
	var b [4]byte
	if _, err := hex.Decode(b[:], s[:]); err != nil {
		return 0
	}
	return binary.BigEndian.Uint32(b[:])
}
