package rollout

import (
	"bytes"
	"errors"
	"io"

	"github.com/longrein/longrein"
)

// reader reads a stretch of a log, checks it, and steps over damage.
type reader struct {
	path   string
	lines  *lines
	n      int64 // number of the line that was read last
	x      expander
	newer  bool   // the log's format is not known in full
	prev   [2]sum // the next line follows one of these
	behind int64  // bytes that follow the last line and are no log any more
	joined line   // what a damaged newline joined to the line read last
}

// next returns the next record, io.EOF itself at the end, or an [*ErrDamaged] for
// a line, after which reading may go on. Damage can have io.EOF as its cause.
func (r *reader) next() (longrein.Record, line, error) {
	ln, err := r.line()
	if err != nil {
		return longrein.Record{}, ln, err
	}
	r.n++
	rec, err := r.record(ln)
	if err != nil && !errors.Is(err, errUnread) {
		err = &ErrDamaged{Path: r.path, Line: r.n, Offset: ln.off, Torn: !ln.whole, Seq: rec.Seq, Err: err}
		rec = longrein.Record{}
	}
	return rec, ln, err
}

func (r *reader) line() (line, error) {
	if ln := r.joined; len(ln.text) > 0 {
		r.joined = line{}
		return ln, nil
	}
	ln, err := r.lines.next()
	if err == io.EOF && r.behind > 0 {
		r.behind = 0
		return line{off: ln.off}, nil // as a line without an end
	}
	return ln, err
}

func (r *reader) record(ln line) (longrein.Record, error) {
	before := r.prev
	body, err := r.check(ln)
	if err != nil && r.part(ln, before) {
		err = errNewline
	}
	if err != nil {
		return longrein.Record{}, err
	}
	h, payload, err := cutHeader(body)
	if err != nil {
		return longrein.Record{}, err
	}
	payload, err = r.x.expand(payload, ln.off+int64(len(body)-len(payload)))
	if err != nil {
		return longrein.Record{Seq: h.seq}, err
	}
	b, err := decodeBody(h.kind, payload)
	if err != nil && r.newer {
		b, err = longrein.Unknown{Name: h.kind, Raw: bytes.Clone(payload)}, nil
	}
	return longrein.Record{Seq: h.seq, Time: h.time, Body: b}, err
}

var (
	errTorn = errors.New("it was not written to its end")
	errSum  = errors.New("its checksum is wrong")
	errNext = errors.New("it does not fit the damaged line before it")

	errNewline = errors.New("the newline behind it is damaged")
)

// check returns what the line's sum covers. A line with a wrong sum is damaged
// either before the sum, so that the next line follows the sum that stands here,
// or in the sum, so that the next line follows the sum that should.
func (r *reader) check(ln line) ([]byte, error) {
	body, have, framed := cutSum(ln.text)
	want := r.prev[0].next(body)
	if want != have && r.prev[1].next(body) == have {
		want = have
	}
	wrong := errSum
	if r.prev[0] != r.prev[1] {
		wrong = errNext
	}
	r.prev = [2]sum{have, want}
	switch {
	case !ln.whole:
		return nil, errTorn
	case ln.long:
		return nil, errLong
	case !framed || have != want:
		return nil, wrong
	}
	return body, nil
}

// part looks for two lines in one, whose newline is damaged. The first counts as
// damaged, and the other is next.
func (r *reader) part(ln line, before [2]sum) bool {
	i := joint(ln.text)
	if i < 0 || ln.long {
		return false
	}
	after := r.prev
	r.prev = before
	if _, err := r.check(line{text: ln.text[:i], whole: true}); err != nil {
		r.prev = after
		return false
	}
	i++
	r.joined = line{off: ln.off + int64(i), text: ln.text[i:], whole: ln.whole}
	return true
}

// joint returns the index of the byte between what looks like two lines, or -1.
func joint(text []byte) int {
	for i := 0; ; i++ {
		n := bytes.Index(text[i:], lineStart)
		if n < 0 {
			return -1
		}
		if i += n; i == 0 {
			continue
		}
		if _, _, framed := cutSum(text[:i-1]); framed {
			return i - 1
		}
	}
}
