package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// recordLine is a record as a line of JSON.
type recordLine struct {
	Seq     int64           `json:"seq"`
	Time    time.Time       `json:"time"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// blobLine is a blob as a line of JSON. It stands before the record that names it.
type blobLine struct {
	Blob longrein.Blob `json:"blob"`
	Text string        `json:"text,omitempty"`
	Data []byte        `json:"data,omitempty"` // in place of Text, when it is no valid UTF-8
}

// JSONL writes each record as a line of JSON, with everything in it that the log
// keeps elsewhere. [Lines] reads what it wrote.
func JSONL(w io.Writer, records Records, o Options) (Report, error) {
	j := &jsonl{Options: o, w: bufio.NewWriter(w), seen: map[string]bool{}}
	err := o.each(records, &j.report, j.record)
	if flush := j.w.Flush(); err == nil {
		err = flush
	}
	return j.report, err
}

type jsonl struct {
	Options
	w      *bufio.Writer
	seen   map[string]bool
	report Report
}

func (j *jsonl) record(r longrein.Record) error {
	for _, b := range blobs(r.Body) {
		if err := j.blob(b); err != nil {
			return err
		}
	}
	payload, err := longrein.MarshalBody(r.Body)
	if err != nil {
		return err
	}
	return j.line(recordLine{r.Seq, r.Time, r.Type(), payload})
}

func (j *jsonl) line(v any) error {
	enc := json.NewEncoder(j.w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// blob writes a blob that no record named before.
func (j *jsonl) blob(b longrein.Blob) error {
	if j.seen[b.ID] || j.Blob == nil {
		return nil
	}
	j.seen[b.ID] = true
	if most := j.Limits.Of(limit.ExportBlob); b.Bytes > most {
		j.report.Limits = append(j.report.Limits, j.Limits.Hit(limit.ExportBlob, "the blob "+b.ID, b.Bytes, "the blob"))
		return nil
	}
	data, err := j.Blob(b.ID, 0, b.Bytes)
	if err != nil {
		j.damaged(&j.report, fmt.Errorf("blob %s: %w", b.ID, err))
		return nil
	}
	line := blobLine{Blob: b}
	switch {
	case !utf8.Valid(data):
		line.Data = data
	case j.Redact != nil:
		line.Text = j.Redact(string(data))
	default:
		line.Text = string(data)
	}
	return j.line(line)
}

// blobs are those that a record names.
func blobs(b longrein.Body) []longrein.Blob {
	switch b := b.(type) {
	case longrein.Beside:
		return blobs(b.Body)
	case longrein.Appended:
		return blobsOf(b.Item)
	case longrein.ToolRun:
		if b.Output != nil {
			return blobsOf(*b.Output)
		}
	case longrein.Window:
		var all []longrein.Blob
		for _, e := range b.Head {
			all = append(all, blobsOf(e.Item)...)
		}
		return all
	}
	return nil
}

func blobsOf(it longrein.Item) []longrein.Blob {
	if out, ok := it.(longrein.ToolOutput); ok && out.Full != nil {
		return []longrein.Blob{*out.Full}
	}
	return nil
}

// LineError is a line that [Lines] could not read.
type LineError struct {
	Line int64
	Raw  []byte // the line, as far as it was read
	Err  error
}

// Error names the line and what is wrong with it.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong.
func (e *LineError) Unwrap() error { return e.Err }

// IsJSONL reports whether a file begins as [JSONL] writes it, or as a log does: with
// a thread's record. It goes by the first bytes, a few hundred.
func IsJSONL(first []byte) bool {
	head, rest, ok := bytes.Cut(first, []byte(`,"type":"thread","payload":{`))
	return ok && len(rest) > 0 && bytes.HasPrefix(head, []byte(`{"seq":`)) && bytes.Contains(head, []byte(`,"time":"`))
}

// Lines reads what [JSONL] wrote. A line that cannot be read yields a [*LineError],
// and the rest follows; any other error is the last thing yielded. put stores a
// blob, which must come out with the id that it is known by.
func Lines(r io.Reader, set limit.Set, put func(io.Reader) (longrein.Blob, error)) Records {
	return func(yield func(longrein.Record, error) bool) {
		in := bufio.NewReaderSize(r, 256<<10)
		for n := int64(1); ; n++ {
			line, err := readLine(in, set.Int(limit.Line))
			if err == io.EOF && len(line) == 0 {
				return
			}
			if err != nil && err != io.EOF && err != errLong {
				yield(longrein.Record{}, err)
				return
			}
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			rec, isRecord, e := lineRecord(line, put)
			if err == errLong {
				e = errLong
			}
			if e != nil {
				if !yield(longrein.Record{}, &LineError{n, line, e}) {
					return
				}
				continue
			}
			if isRecord && !yield(rec, nil) {
				return
			}
		}
	}
}
