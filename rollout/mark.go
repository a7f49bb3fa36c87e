package rollout

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"

	"github.com/longrein/longrein"
)

// castagnoli is the table of CRC-32C, which processors compute themselves.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A mark is an object that begins with one of these. In compact JSON the bytes
// {"$ can only be the start of an object: inside a string the quote would stand
// behind a backslash. So marks are found without parsing.
var (
	markAny    = []byte(`{"$`)
	markAt     = []byte(`{"$at":`)
	markBlob   = []byte(`{"$blob":`)
	markEscape = []byte(`{"$$`)
)

// nextMark returns the index of the first mark in b, or -1.
func nextMark(b []byte) int {
	for i := 0; ; {
		n := bytes.Index(b[i:], markAny)
		if n < 0 {
			return -1
		}
		i += n
		if isMark(b[i:]) {
			return i
		}
		i += len(markAny)
	}
}

func isMark(b []byte) bool {
	return bytes.HasPrefix(b, markAt) || bytes.HasPrefix(b, markBlob) || bytes.HasPrefix(b, markEscape)
}

// appendEscaped appends b to dst so that no object in it is taken for a mark.
func appendEscaped(dst, b []byte) []byte {
	for {
		i := nextMark(b)
		if i < 0 {
			return append(dst, b...)
		}
		i += len(markAny)
		dst = append(dst, b[:i]...)
		dst = append(dst, '$')
		b = b[i:]
	}
}

// place is where a value's bytes stand in the file.
type place struct {
	off int64
	n   int
}

// reference is a place and the CRC-32C of the bytes there.
type reference struct {
	place
	crc uint32
}

func (r reference) append(dst []byte) []byte {
	dst = append(dst, `{"$at":[`...)
	dst = strconv.AppendInt(dst, r.off, 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, int64(r.n), 10)
	dst = append(dst, ',')
	dst = strconv.AppendUint(dst, uint64(r.crc), 10)
	return append(dst, `]}`...)
}

func appendBlob(dst []byte, b longrein.Blob) []byte {
	return fmt.Appendf(dst, `{"$blob":"%s","bytes":%d}`, b.ID, b.Bytes)
}

var errMark = errors.New("it holds a reference that cannot be read")

// cutReference reads the reference that b starts with and returns what follows.
func cutReference(b []byte) (r reference, rest []byte, err error) {
	body, rest, ok := bytes.Cut(bytes.TrimPrefix(b, []byte(`{"$at":[`)), []byte(`]}`))
	f := bytes.Split(body[:min(len(body), 64)], []byte{','}) // fixed: a mark's format
	if !ok || len(f) != 3 {
		return r, nil, errMark
	}
	off, err1 := strconv.ParseInt(string(f[0]), 10, 64)
	n, err2 := strconv.ParseInt(string(f[1]), 10, 32)
	crc, err3 := strconv.ParseUint(string(f[2]), 10, 32)
	if errors.Join(err1, err2, err3) != nil || off < 0 || n <= 0 {
		return r, nil, errMark
	}
	return reference{place{off, int(n)}, uint32(crc)}, rest, nil
}

// cutBlob reads the blob that b starts with and returns what follows.
func cutBlob(b []byte) (blob longrein.Blob, rest []byte, err error) {
	body, rest, ok := bytes.Cut(bytes.TrimPrefix(b, []byte(`{"$blob":"`)), []byte{'}'})
	id, size, ok2 := bytes.Cut(body[:min(len(body), 128)], []byte(`","bytes":`)) // fixed: a mark's format
	n, err := strconv.ParseInt(string(size), 10, 64)
	if !ok || !ok2 || err != nil || n < 0 {
		return blob, nil, errMark
	}
	return longrein.Blob{ID: string(id), Bytes: n}, rest, nil
}
