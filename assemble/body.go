package assemble

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/wire"
)

// body is a window's request, as bytes that only grow:
//
//	open  group, group, …, group  group, group, …, group  close
//	└──── stable: hashed once ──┘ └ from the end of the previous request ┘
//
// The last group of the previous request and the last group of this one carry a
// cache mark where the wire has such; in a fork's first request also the last one
// that it shares with the worker, whose next request ends there. What lies before
// the first of them never changes again; its hash is kept and continued.
type body struct {
	enc     wire.Encoder
	head    wire.Head
	buf     []byte // open and all groups, unmarked
	taken   int    // entries that buf holds
	last    span   // of the newest group in buf
	prev    span   // of the newest group of the previous request
	parting span   // of a fork: the newest group that it shares with the worker
	stable  int    // buf[:stable] is in sum
	sum     hash.Hash
	sheets  [2]sheet // requests are written on these in turn
	sheet   int
}

type span struct{ from, to int }

// sheet is a request as it was sent. Its first bytes are stable, so the request
// after next only adds what is new.
type sheet struct {
	bytes  []byte
	stable int
}

// open begins a request. It is written where the window before had its own, whose
// last one stays as it is for as long as [State.Request] says.
func (b *body) open(enc wire.Encoder, head wire.Head) {
	*b = body{enc: enc, head: head, sum: sha256.New(), buf: b.buf, sheets: b.sheets, sheet: b.sheet}
	for i := range b.sheets {
		b.sheets[i].stable = 0
	}
	b.buf = enc.Open(b.buf[:0], head)
}

// grow encodes the entries that are new.
func (b *body) grow(entries []longrein.Entry) error {
	if b.taken > len(entries) {
		return fmt.Errorf("assemble: the window shrank from %d entries to %d", b.taken, len(entries))
	}
	for g := range wire.Groups(entries[b.taken:]) {
		if b.buf[len(b.buf)-1] != '[' {
			b.buf = append(b.buf, ',')
		}
		from := len(b.buf)
		b.buf = b.enc.Group(b.buf, b.head, g)
		if len(b.buf) == from { // nothing that this wire can carry
			b.buf = bytes.TrimSuffix(b.buf, []byte{','})
			continue
		}
		b.last = span{from, len(b.buf)}
	}
	b.taken = len(entries)
	return nil
}

// asked notes that a request with these entries was sent, so that the next one
// begins with it.
func (b *body) asked(entries []longrein.Entry) error {
	if err := b.grow(entries); err != nil {
		return err
	}
	b.prev = b.last
	b.sum.Write(b.buf[b.stable:b.prev.from])
	b.stable = max(b.stable, b.prev.from)
	return nil
}

// render returns the request's bytes and their SHA-256 in hexadecimal. The bytes
// stay as they are until render was called twice more.
func (b *body) render() (out []byte, sum string) {
	b.sheet = 1 - b.sheet
	s := &b.sheets[b.sheet]
	out = append(s.bytes[:s.stable], b.buf[s.stable:b.stable]...)
	at := b.stable
	for _, g := range [...]span{b.prev, b.parting, b.last} {
		if g.from < at || g.to == g.from {
			continue
		}
		out = append(out, b.buf[at:g.from]...)
		out = b.enc.Mark(out, b.buf[g.from:g.to])
		at = g.to
	}
	out = append(out, b.buf[at:]...)
	out = b.enc.Close(out, b.head)
	s.bytes, s.stable = out, b.stable
	return out[:len(out):len(out)], b.hash(out[b.stable:])
}

// hash continues the hash of the stable bytes with rest, in hexadecimal.
func (b *body) hash(rest []byte) string {
	h, err := b.sum.(hash.Cloner).Clone()
	if err != nil {
		panic("assemble: a running SHA-256 cannot be copied: " + err.Error())
	}
	h.Write(rest)
	return hex.EncodeToString(h.Sum(nil))
}
