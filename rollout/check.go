package rollout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
)

// Finding is something wrong in a log.
type Finding struct {
	Thread string `json:"thread"`
	Path   string `json:"path"`
	Line   int64  `json:"line"`   // from 1
	Offset int64  `json:"offset"` // of the line's first byte
	Bytes  int64  `json:"bytes"`  // of the line
	Blob   string `json:"blob,omitempty"`
	What   string `json:"what"` // is wrong: of the blob if one is named, else of the line
}

// String says where it is and what is wrong, as a sentence.
func (f Finding) String() string {
	what := f.What
	if f.Blob != "" {
		what = fmt.Sprintf("blob %s: %s", f.Blob, f.What)
	}
	return fmt.Sprintf("%s, line %d (%d bytes from byte %d on): %s", f.Path, f.Line, f.Bytes, f.Offset, what)
}

// Check reads threads' logs from beginning to end, all of them when no id is
// given, and yields what is wrong: lines that cannot be read, gaps in the numbers,
// back-references that lead to other bytes, blobs that are damaged or missing, and
// parents of forks that are not what they were. What was kept of a removed parent
// is read with its forks. An error says which log could not be looked at; the
// others follow.
func (s *Store) Check(ctx context.Context, ids ...string) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		c := checker{s: s, ctx: ctx, yield: yield, blobs: map[string]error{}, kept: map[string]bool{}}
		for id, err := range s.each(ids) {
			if err == nil {
				err = c.thread(id)
			}
			if err != nil && !c.stopped {
				c.stopped = !yield(Finding{Thread: id}, fmt.Errorf("check thread %s: %w", id, explain(err)))
			}
			if c.stopped || ctx.Err() != nil {
				return
			}
		}
	}
}

// each yields the ids, or those of all logs when there are none.
func (s *Store) each(ids []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, id := range ids {
			if !yield(id, nil) {
				return
			}
		}
		if len(ids) > 0 {
			return
		}
		for f, err := range s.Files() {
			if !yield(f.ID, err) {
				return
			}
		}
	}
}

type checker struct {
	s       *Store
	ctx     context.Context
	yield   func(Finding, error) bool
	stopped bool
	blobs   map[string]error // those looked at, and what is wrong with them
	kept    map[string]bool  // those looked at
}

func (c *checker) found(at Finding, what string) {
	if !c.stopped {
		at.What = what
		c.stopped = !c.yield(at, nil)
	}
}

func (c *checker) thread(id string) error {
	f, err := c.s.reading(id)
	if err != nil {
		return err
	}
	defer f.Close()
	return c.log(f)
}

// log checks a log and what comes before it in its parent.
func (c *checker) log(f *source) error {
	r, err := f.from(0)
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.parent(f); err != nil {
		return err
	}
	seq, bad := f.base, 0
	for !c.stopped {
		rec, ln, err := r.next()
		if err == io.EOF {
			return nil
		}
		if stops(err) || c.ctx.Err() != nil {
			return errors.Join(err, c.ctx.Err())
		}
		at := Finding{Thread: f.id, Path: f.path, Line: r.n, Offset: ln.off, Bytes: int64(len(ln.text)) + 1}
		if err != nil {
			bad++
			c.found(at, errors.Unwrap(err).Error())
			continue
		}
		c.number(at, rec.Seq, seq+1, bad)
		c.mentioned(at, ln.text)
		seq, bad = rec.Seq, 0
	}
	return nil
}

// number checks a record's number, after so many lines that could not be read.
func (c *checker) number(at Finding, have, want int64, bad int) {
	switch {
	case have < want:
		c.found(at, fmt.Sprintf("it has the number %d, which is no higher than the one before", have))
	case have > want && bad == 0:
		c.found(at, fmt.Sprintf("it has the number %d, and %d to %d are missing", have, want, have-1))
	}
}

// parent checks what a fork shares. A parent that is still a thread is checked
// where it stands.
func (c *checker) parent(f *source) error {
	if f.thread == nil || f.thread.Parent == "" {
		return nil
	}
	p, err := c.s.parent(*f.thread)
	if err != nil {
		c.found(Finding{Thread: f.id, Path: f.path, Line: 1}, err.Error())
		return nil
	}
	defer p.Close()
	if !isKept(p.path) || c.kept[p.path] {
		return nil
	}
	c.kept[p.path] = true
	return c.log(p)
}

// blobNamed is how a payload names a blob; see [longrein.Blob].
var blobNamed = regexp.MustCompile(`\{"id":"([0-9a-f]{64})","bytes":([0-9]{1,18})\}`)

// mentioned checks the blobs that a line names. Those that hold a part of the
// line itself were read with it.
func (c *checker) mentioned(at Finding, text []byte) {
	for _, m := range blobNamed.FindAllSubmatch(text, -1) {
		id := string(m[1])
		err, known := c.blobs[id]
		if !known {
			err = c.s.checkBlob(id, string(m[2]))
			c.blobs[id] = err
		}
		if err != nil {
			at.Blob = id
			c.found(at, err.Error())
		}
	}
}

// checkBlob reads a whole blob, which has a size in bytes.
func (s *Store) checkBlob(id, size string) error {
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return err
	}
	part, err := s.readBlob(id, max(0, n-1), 2)
	if err == nil && n > 0 && len(part) != 1 || err == nil && n == 0 && len(part) > 0 {
		err = fmt.Errorf("it does not have the %d bytes that the log says", n)
	}
	return err
}
