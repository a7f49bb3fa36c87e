package rollout

import (
	"bytes"
	"hash/crc32"
	"io"

	"github.com/longrein/longrein"
)

// packer writes payloads with what the log already holds left out.
type packer struct {
	file   io.ReaderAt
	known  *repeats
	inline int // size from which a string goes to a blob
	put    func([]byte) (longrein.Blob, error)

	buf []byte // of the batch that is being written …
	off int64  // … and the place in the file that it is for
	tmp []byte
}

// pack appends payload to the batch.
func (p *packer) pack(payload []byte) error {
	var open []opened
	done := 0 // of payload
	for _, s := range spans(payload) {
		if s.start < done {
			continue // inside a value that was left out
		}
		p.buf = appendEscaped(p.buf, payload[done:s.start])
		done = s.start
		value := payload[s.start:s.end]
		hash := p.known.hash(value)
		at, known := p.find(hash, value)
		switch {
		case known:
			p.buf = reference{at, crc32.Checksum(value, castagnoli)}.append(p.buf)
			done = s.end
		case value[0] != '"':
			open = append(open, opened{hash, len(p.buf), value})
		case len(value) >= p.inline:
			blob, err := p.put(value[1 : len(value)-1])
			if err != nil {
				return err
			}
			p.buf = appendBlob(p.buf, blob)
			done = s.end
		default:
			p.known.put(hash, p.place(len(p.buf), value))
			p.buf = append(p.buf, value...)
			done = s.end
		}
	}
	p.buf = appendEscaped(p.buf, payload[done:])
	p.learn(open)
	return nil
}

// opened is an object or array that was not known when its writing began.
type opened struct {
	hash  uint64
	start int // in the batch
	value []byte
}

// learn remembers those that were written as they are. One in which something
// was left out cannot be referred to: references never lead to references.
func (p *packer) learn(open []opened) {
	for _, o := range open {
		if bytes.HasPrefix(p.buf[o.start:], o.value) {
			p.known.put(o.hash, p.place(o.start, o.value))
		}
	}
}

func (p *packer) place(start int, value []byte) place {
	return place{p.off + int64(start), len(value)}
}

// find returns where value stands in the file. It compares the bytes, so equal
// hashes of different values, or a file damaged there, only cost space.
func (p *packer) find(hash uint64, value []byte) (place, bool) {
	at, ok := p.known.get(hash)
	if !ok || at.n != len(value) {
		return place{}, false
	}
	return at, bytes.Equal(p.at(at), value)
}

// at returns the bytes at a place, which may be in the batch; none on an error.
func (p *packer) at(at place) []byte {
	if start := at.off - p.off; start >= 0 {
		return p.buf[start : start+int64(at.n)]
	}
	p.tmp = append(p.tmp[:0], make([]byte, at.n)...)
	if _, err := p.file.ReadAt(p.tmp, at.off); err != nil {
		return nil
	}
	return p.tmp
}
