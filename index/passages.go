package index

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"sync"
)

// Passages lie in packs: a pack is the unit that the full-text table knows, and the
// text that a search shows comes from it. The last pack of a thread is written anew
// as the thread grows, until it is full.

// packSize is how much text a pack holds before the next one begins.
const packSize = 32 << 10 // fixed: it cuts nothing; small enough to be written anew with every turn

// largestPack is more than a full pack with the largest passage that a limit allows.
const largestPack = 4 << 20 // fixed: what is larger is no pack of ours

func (p *passage) fields(c codec) {
	p.seq = c.number(p.seq)
	p.turn = int(c.number(int64(p.turn)))
	p.kind = Kind(c.text(string(p.kind)))
	p.text = c.text(p.text)
}

// packPassages makes the bytes of a pack.
func packPassages(ps []passage) ([]byte, error) {
	var p packer
	for i := range ps {
		ps[i].fields(&p)
	}
	var out bytes.Buffer
	w := writers.Get().(*flate.Writer)
	defer writers.Put(w)
	w.Reset(&out)
	if _, err := w.Write(p.b); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

// writers are used again, because a new one takes half a megabyte.
var writers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // fails for an unknown level only
	return w
}}

// unpackPassages reads what packPassages made.
func unpackPassages(b []byte) ([]passage, error) {
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), largestPack))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPacked, err)
	}
	u := unpacker{b: raw, s: string(raw)}
	var ps []passage
	for len(u.b) > 0 && !u.bad {
		var p passage
		p.fields(&u)
		ps = append(ps, p)
	}
	if u.bad {
		return nil, errPacked
	}
	return ps, nil
}

// sizeOf is how much text passages hold.
func sizeOf(ps []passage) (n int) {
	for _, p := range ps {
		n += len(p.text)
	}
	return n
}
