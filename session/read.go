package session

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/longrein/longrein/limit"
	"github.com/tidwall/gjson"
)

// ErrUnknown says that the form of a file is none of those that are read.
var ErrUnknown = errors.New("no session of a known tool")

// parser makes sessions of one form.
type parser interface {
	// take reads a line, or the element of a document at path. It returns the
	// kind of one that is passed over, "" for one that was taken.
	take(path string, v value) (kind string, err error)
	finish() []*Session
}

// Read reads a recorded session of any known form. What cannot be read is in the
// report and no error; errors are [ErrUnknown], and those of r, which come with
// what was read up to there. Memory grows with the texts of the session, and no
// line or element beyond the limit log-line is held.
func Read(r io.Reader, set limit.Set) (*Recording, error) { return ReadKeeping(r, set, nil) }

// ReadKeeping is Read, and hands over each line that no session is made of: those
// that cannot be read, and those that are passed over. An error of keep ends the
// reading and is returned.
func ReadKeeping(r io.Reader, set limit.Set, keep func(Kept) error) (*Recording, error) {
	capped := &io.LimitedReader{R: r, N: set.Of(limit.SessionSize)}
	in := bufio.NewReaderSize(capped, set.Int(limit.SessionPeek))
	peek, err := in.Peek(set.Int(limit.SessionPeek))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read session: %w", err)
	}
	format, ok := Detect(peek)
	if !ok {
		return nil, fmt.Errorf("read session: %w", ErrUnknown)
	}
	t := newTally(set)
	t.keeper = keep
	rec, err := readAs(format, t, in, inLines(format, peek))
	if capped.N == 0 && more(r) {
		rec.Report.Limits = append(rec.Report.Limits, set.Hit(limit.SessionSize, "the rest of the file", 1, "in the file"))
	}
	if err != nil {
		err = fmt.Errorf("read session: %w", err)
	}
	return rec, err
}

func more(r io.Reader) bool {
	n, _ := io.ReadFull(r, make([]byte, 1))
	return n == 1
}

// readAs reads a known form.
func readAs(format Format, t *tally, in io.Reader, inLines bool) (*Recording, error) {
	f := &feeder{tally: t, parser: newParser(format, t), descend: descend[format]}
	var err error
	if inLines {
		if format != OpenHands { // each of its lines is a document
			f.descend = nil
		}
		err = f.lines(in)
	} else {
		err = f.document(in)
	}
	rec := &Recording{Format: format, Sessions: f.parser.finish()}
	rec.Report = t.report()
	return rec, cmp.Or(err, t.keepErr)
}

// feeder gives a parser what a file holds, and counts.
type feeder struct {
	*tally
	parser  parser
	descend map[string]bool // paths of a document whose parts are elements
}

// inLines reports whether a file has one record a line.
func inLines(format Format, peek []byte) bool {
	if !format.document() && format != GeminiChat || format == OpenAIChat && sketchOf(trimmed(peek)).has("role") {
		return true
	}
	line, _, more := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(peek, bom), " \t\r\n"), []byte{'\n'})
	line = trimmed(line)
	if more || format == GeminiChat {
		return len(line) > 0 && line[0] == '{' && json.Valid(line) && len(trimmed(peek)) > len(line)
	}
	return format == OpenHands && len(line) > 0 && line[0] == '{'
}

func (f *feeder) lines(r io.Reader) error {
	s := newScanner(r, f.limits.Int(limit.Line))
	for {
		long, ok := s.next()
		if !ok || f.keepErr != nil {
			return s.err
		}
		f.line(s.n, s.line, long)
		s.shrink()
	}
}

func (f *feeder) line(n int64, whole []byte, long bool) {
	line := trimmed(whole)
	if len(line) > 0 || long {
		f.Lines++
	}
	switch {
	case long:
		f.lose(n, errLong.Error(), line)
	case len(line) > 0:
		f.record(n, line)
	case bytes.IndexByte(whole, 0) >= 0:
		f.Lines++
		f.lose(n, errNUL.Error(), whole)
	default:
		f.Lines++
		f.Blank++
	}
}

func (f *feeder) record(n int64, line []byte) {
	v, err := parse(line)
	if err == nil {
		f.whole(n, v, line)
		return
	}
	f.lose(n, err.Error(), line)
	for _, part := range salvage(line, f.limits.Int(limit.SessionSalvage)) {
		if v, err := parse(part); err == nil {
			if _, err := f.give(n, v, part); err == nil {
				f.Salvaged++
			}
		}
	}
}

// whole counts what became of a line that is one record.
func (f *feeder) whole(n int64, v value, line []byte) {
	kind, err := f.give(n, v, line)
	switch {
	case err != nil:
		f.lose(n, err.Error(), line)
	case kind != "":
		f.passLine(n, kind, line)
	default:
		f.Taken++
	}
}

// give hands a record to the parser; one that is a document of its own in parts.
func (f *feeder) give(n int64, v value, line []byte) (string, error) {
	f.at, f.fields = n, f.fields[:0]
	if f.descend == nil {
		return f.parser.take("", v)
	}
	return "", f.document(bytes.NewReader(line))
}

// document feeds the elements of JSON documents, one after the other.
func (f *feeder) document(r io.Reader) error {
	m := &meter{r: r, max: f.limits.Of(limit.Line)}
	d := json.NewDecoder(m)
	for d.More() {
		if p, ok := f.parser.(interface{ begin() }); ok {
			p.begin()
		}
		if err := f.element(d, m, ""); err != nil {
			f.breaksOff(err, d, m)
			return m.err
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		f.breaksOff(err, d, m)
	}
	return m.err
}

// breaksOff notes that a document cannot be read on, and keeps what is left.
func (f *feeder) breaksOff(err error, d *json.Decoder, m *meter) {
	if errors.Is(err, io.EOF) || err == nil {
		err = io.ErrUnexpectedEOF
	}
	f.Lines++
	why := "the document breaks off here: " + err.Error()
	if m.err != nil {
		f.lose(int64(f.Lines), why, nil)
		return
	}
	m.err = f.loseRest(int64(f.Lines), why, io.MultiReader(d.Buffered(), m.r))
}

// element feeds the value that comes next, or its parts.
func (f *feeder) element(d *json.Decoder, m *meter, path string) error {
	m.n = 0
	if !f.descend[path] {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		f.Lines++
		f.at = int64(f.Lines)
		f.part(path, raw)
		return nil
	}
	open, err := d.Token()
	if err != nil {
		return err
	}
	switch open {
	case json.Delim('{'):
		err = f.inside(d, m, path)
	case json.Delim('['):
		for err == nil && d.More() {
			err = f.element(d, m, path+"[]")
		}
	default:
		f.Lines++
		raw, _ := json.Marshal(open) // a string, a number, a truth value or null
		f.passLine(int64(f.Lines), named(path), raw)
		return nil
	}
	if err == nil {
		_, err = d.Token()
	}
	return err
}

func (f *feeder) inside(d *json.Decoder, m *meter, path string) error {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if path != "" {
			name = path + "." + name
		}
		if err := f.element(d, m, name); err != nil {
			return err
		}
	}
	return nil
}

func (f *feeder) part(path string, raw []byte) {
	f.fields = f.fields[:0]
	kind, err := f.parser.take(path, gjson.ParseBytes(raw))
	switch {
	case err != nil:
		f.lose(f.at, err.Error(), raw)
	case kind != "":
		f.passLine(f.at, kind, raw)
	default:
		f.Taken++
	}
}

// meter bounds what may be read for one element.
type meter struct {
	r   io.Reader
	n   int64 // since the last element began
	max int64
	err error // of the reader
}

func (m *meter) Read(p []byte) (int, error) {
	if m.n >= m.max {
		return 0, errLong
	}
	n, err := m.r.Read(p)
	m.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		m.err = err
	}
	return n, err
}
