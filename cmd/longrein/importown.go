package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/export"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/rollout"
)

// isOwn reports whether a file is a log of longrein's or an export of one. It is
// left at its start.
func isOwn(f *os.File) (bool, error) {
	first := make([]byte, 512)
	n, err := io.ReadFull(f, first)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return export.IsJSONL(first[:n]), err
}

// isLog reports whether the first record of such a file has a checksum, as only a
// log's has. It is left at its start.
func isLog(f *os.File) (bool, error) {
	const longest = 4 << 20 // fixed: a first record with base instructions of any size
	first := make([]byte, longest)
	n, err := io.ReadFull(f, first)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	line, _, _ := bytes.Cut(first[:n], []byte{'\n'})
	_, err = f.Seek(0, io.SeekStart)
	return bytes.Contains(line[max(0, len(line)-24):], []byte(`,"sum":"`)), err
}

// own takes a thread over: with its id, so that it is the same thread, or with
// another one when it is to be there twice.
func (im *importer) own(ctx context.Context, f *os.File, path string, err error) (*importReport, error) {
	if err != nil {
		return nil, err
	}
	log, err := isLog(f)
	if err != nil {
		return nil, err
	}
	records := func() export.Records { return im.store.ReadFile(path) }
	if !log {
		records = func() export.Records { return export.Lines(f, im.store.Limits, im.store.PutBlob) }
	}
	done := &importReport{File: path, Tool: "longrein"}
	id, err := im.ownID(done, f)
	if err != nil || done.Already {
		return done, err
	}
	o := owner{report: done, file: f, most: im.store.Limits.Int(limit.SessionUnread), next: 1, id: id}
	if o.w, err = im.begin(ctx, id); err != nil {
		return nil, err
	}
	for rec, err := range records() {
		if !o.take(rec, err) {
			break
		}
	}
	for _, line := range o.lost { // behind the last record
		o.w.add(o.w.now, line)
	}
	if im.name != "" {
		o.w.add(o.w.now, im.cleaner(new(int))(longrein.Renamed{Name: im.name}))
	}
	done.Threads = append(done.Threads, importedThread{Thread: id, Name: im.name, Turns: o.turns, Steps: o.steps, Records: o.w.seq})
	return done, o.w.end()
}

// ownID is the id under which a thread is taken over.
func (im *importer) ownID(done *importReport, f *os.File) (string, error) {
	t, err := ownThread(f)
	if err != nil {
		return "", err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if t.Format > longrein.LogFormat {
		return "", rollout.ErrNewer
	}
	if id, err := uuid.Parse(t.ID); err == nil && id.Version() == 7 && id.String() == t.ID && !im.again {
		if _, err := im.store.Find(t.ID); err == nil {
			done.Already = true
			done.Threads = []importedThread{{Thread: t.ID}}
		}
		return t.ID, nil
	}
	id, err := uuid.NewV7()
	return id.String(), err
}

// ownThread is the last record of its kind in a file: what a fork shares with its
// parents begins with theirs. One that cannot be read is none.
func ownThread(f *os.File) (t longrein.Thread, err error) {
	const begins = 200 // fixed: the number, the time and the type stand there
	in := bufio.NewReader(f)
	for err == nil {
		start, _ := in.Peek(begins) // fewer at the end
		if !bytes.Contains(start, []byte(`"type":"thread","payload":`)) {
			err = skipLine(in)
			continue
		}
		var line struct {
			Type    string          `json:"type"`
			Payload longrein.Thread `json:"payload"`
		}
		raw, end := in.ReadBytes('\n')
		if json.Unmarshal(raw, &line) == nil && line.Type == "thread" {
			t = line.Payload
		}
		err = end
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return t, err
}

// skipLine reads to the end of a line.
func skipLine(in *bufio.Reader) error {
	for {
		if _, err := in.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// owner takes a thread's records over, each with its number.
type owner struct {
	report       *importReport
	file         *os.File
	most         int // lines that may be lost
	w            *logWriter
	id           string
	next         int64 // number of the next record
	turns, steps int
	lost         []longrein.ImportedLine // lines since the last record, that could not be read
}

func (o *owner) take(r longrein.Record, err error) bool {
	o.report.Lines++
	if err != nil {
		return o.damaged(err)
	}
	o.report.Taken++
	if r.Seq > o.next && !o.fill(r) {
		return false
	}
	if r.Seq < o.next {
		o.w.fail(fmt.Errorf("record %d comes after record %d", r.Seq, o.next-1))
		return false
	}
	o.lost = nil
	o.next++
	switch b := r.Body.(type) {
	case longrein.Thread:
		if b.ID != o.id {
			b.Origin = b.CacheKey() // requests were sent under it
		}
		b.ID = o.id
		r.Body = b
	case longrein.Turn:
		if b.State == longrein.TurnStarted {
			o.turns++
		}
	case longrein.Asked:
		o.steps++
	}
	return o.w.add(r.Time, r.Body)
}

// fill puts the lines that could not be read where records are missing, since
// others refer to those behind by number.
func (o *owner) fill(r longrein.Record) bool {
	if gap := r.Seq - o.next; o.next == 1 || gap > int64(len(o.lost)) {
		o.w.fail(fmt.Errorf("%d records are missing before record %d", r.Seq-o.next, r.Seq))
		return false
	}
	for ; o.next < r.Seq; o.next++ {
		line := o.lost[0]
		o.lost = o.lost[1:]
		o.w.add(o.w.now, line)
	}
	return true
}

func (o *owner) damaged(err error) bool {
	line := longrein.ImportedLine{Kind: err.Error(), Lost: true}
	var bad *export.LineError
	var torn *rollout.ErrDamaged
	switch {
	case errors.As(err, &bad):
		line.Line, line.Kind = bad.Line, bad.Err.Error()
		keepText(&line, bad.Raw)
	case errors.As(err, &torn):
		line.Line = torn.Line
		keepText(&line, o.lineAt(torn.Offset))
	default:
		o.w.fail(err)
		return false
	}
	if o.report.Lost++; o.report.Lost > o.most {
		o.w.fail(fmt.Errorf("more than %d lines cannot be read (limit %s)", o.most, limit.SessionUnread.Name))
		return false
	}
	o.report.Unread = append(o.report.Unread, unreadLine{line.Line, line.Kind, beginning(line.Text)})
	o.lost = append(o.lost, line)
	return true
}

// lineAt is the line of a log that begins there, as far as one can be kept.
func (o *owner) lineAt(offset int64) []byte {
	const longest = 4 << 20 // fixed: of a damaged line; the file has all of it
	raw := make([]byte, longest)
	n, err := o.file.ReadAt(raw, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil // the report says what is wrong with it
	}
	line, _, _ := bytes.Cut(raw[:n], []byte{'\n'})
	return bytes.Clone(line)
}

// keepText puts a line into its record.
func keepText(l *longrein.ImportedLine, raw []byte) {
	if utf8.Valid(raw) {
		l.Text = string(raw)
	} else {
		l.Bytes = raw
	}
}
