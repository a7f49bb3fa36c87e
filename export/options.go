package export

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Records are a thread's, in order. An error stands for one that could not be read.
type Records = iter.Seq2[longrein.Record, error]

// Options say how a thread is exported. The zero value leaves blobs out.
type Options struct {
	// Redact replaces secrets in a text. It may be nil.
	Redact func(string) string
	// Blob returns up to n bytes of a blob from offset on. Without it only the
	// blob's name is exported.
	Blob   func(id string, offset, n int64) ([]byte, error)
	Limits limit.Set
}

// Report says what an export did.
type Report struct {
	Records int
	Damaged []error // records, or blobs, that could not be read, and are missing
	Limits  []longrein.LimitHit
}

// ErrNothing says that there was no record to export.
var ErrNothing = errors.New("the thread's log holds nothing that can be read")

// damaged notes what could not be read, as far as a person can look at it.
func (o Options) damaged(r *Report, err error) {
	if len(r.Damaged) < o.Limits.Int(limit.SessionUnread) {
		r.Damaged = append(r.Damaged, err)
	}
}

// each hands over the records that can be read, without their secrets.
func (o Options) each(records Records, r *Report, do func(longrein.Record) error) error {
	for rec, err := range records {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if err == nil && o.Redact != nil {
			rec, err = redacted(rec, o.Redact)
		}
		if err != nil {
			o.damaged(r, err)
			continue
		}
		r.Records++
		if err := do(rec); err != nil {
			return err
		}
	}
	if r.Records == 0 {
		return errors.Join(append([]error{ErrNothing}, r.Damaged...)...)
	}
	return nil
}

// redacted returns a record without its secrets.
func redacted(r longrein.Record, redact func(string) string) (longrein.Record, error) {
	raw, err := longrein.MarshalBody(r.Body)
	if err == nil {
		if raw, err = redactJSON(raw, redact); err == nil {
			r.Body, err = longrein.UnmarshalBody(r.Type(), raw)
		}
	}
	if err != nil {
		return r, fmt.Errorf("redact record %d: %w", r.Seq, err)
	}
	return r, nil
}
