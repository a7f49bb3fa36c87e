package rollout

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash/crc32"
	"strconv"
	"time"

	"github.com/longrein/longrein"
)

// sum is a line's checksum as the line holds it, eight hexadecimal digits.
type sum [8]byte

// noSum stands before the first line.
var noSum = sum{'0', '0', '0', '0', '0', '0', '0', '0'}

// next returns the sum of a line that follows one with the sum s.
func (s sum) next(body []byte) sum {
	crc := crc32.Update(crc32.Checksum(s[:], castagnoli), castagnoli, body)
	var out sum
	hex.Encode(out[:], []byte{byte(crc >> 24), byte(crc >> 16), byte(crc >> 8), byte(crc)})
	return out
}

const (
	sumStart  = `,"sum":"`
	sumEnd    = `"}`
	sumLength = len(sumStart) + len(sum{}) + len(sumEnd)
)

// cutSum splits a line, without its newline, into what is summed and the sum. It
// goes by position, so that of a damaged line one of the two can still be right;
// ok says that the sum stands as it should.
func cutSum(line []byte) (body []byte, s sum, ok bool) {
	n := len(line) - sumLength
	if n < 0 {
		return nil, s, false
	}
	copy(s[:], line[n+len(sumStart):])
	ok = bytes.HasPrefix(line[n:], []byte(sumStart)) && bytes.HasSuffix(line, []byte(sumEnd))
	return line[:n], s, ok
}

func appendSum(dst []byte, s sum) []byte {
	dst = append(dst, sumStart...)
	dst = append(dst, s[:]...)
	return append(dst, sumEnd+"\n"...)
}

// header is a line up to its payload.
type header struct {
	seq  int64
	time time.Time
	kind string
}

// lineStart begins every line.
var lineStart = []byte(`{"seq":`)

// maxHeader is more than the header of any known type takes.
const maxHeader = 128 // fixed: more than the header of any known type takes

func (h header) append(dst []byte) ([]byte, error) {
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendInt(dst, h.seq, 10)
	dst = append(dst, `,"time":"`...)
	dst = h.time.AppendFormat(dst, longrein.TimeFormat)
	dst = append(dst, `","type":`...)
	kind, err := json.Marshal(h.kind)
	if err != nil {
		return nil, err
	}
	dst = append(dst, kind...)
	return append(dst, `,"payload":`...), nil
}

var errLine = errors.New("it does not begin as a record does")

// cutHeader reads the header at the start of line and returns what follows.
func cutHeader(line []byte) (h header, rest []byte, err error) {
	seq, rest, ok1 := cutAround(line, string(lineStart), `,"time":"`)
	at, rest, ok2 := cutAround(rest, ``, `","type":`)
	if !ok1 || !ok2 || len(rest) == 0 || rest[0] != '"' {
		return h, nil, errLine
	}
	end := stringEnd(rest, 0)
	kind, rest := rest[:end], rest[end:]
	rest, ok := bytes.CutPrefix(rest, []byte(`,"payload":`))
	if !ok {
		return h, nil, errLine
	}
	h.seq, err = strconv.ParseInt(string(seq), 10, 64)
	if err != nil || h.seq < 1 {
		return h, nil, errLine
	}
	if h.time, err = time.Parse(longrein.TimeFormat, string(at)); err != nil {
		return h, nil, errLine
	}
	h.kind, err = unquote(kind)
	return h, rest, err
}

// unquote reads a string, mostly without the help of encoding/json.
func unquote(b []byte) (s string, err error) {
	if bytes.IndexByte(b, '\\') < 0 && len(b) >= 2 {
		return string(b[1 : len(b)-1]), nil
	}
	return s, json.Unmarshal(b, &s)
}

// cutAround returns what stands in b between a prefix and the next mark, and
// what follows the mark. It looks at no more than a header's bytes.
func cutAround(b []byte, prefix, mark string) (between, rest []byte, ok bool) {
	b, ok = bytes.CutPrefix(b, []byte(prefix))
	i := bytes.Index(b[:min(len(b), maxHeader)], []byte(mark))
	if !ok || i < 0 {
		return nil, nil, false
	}
	return b[:i], b[i+len(mark):], true
}

var windowType = longrein.Record{Body: longrein.Window{}}.Type()

// isWindow reports whether a line that starts with b is a window record's.
func isWindow(b []byte) bool {
	h, _, err := cutHeader(b[:min(len(b), maxHeader)])
	return err == nil && h.kind == windowType
}
