package rollout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// relative is a log, or what is kept of one, with what it needs of its parent.
type relative struct {
	id, path string
	kept     bool
	parent   string
	need     int64  // bytes of the parent's log …
	seq      int64  // … up to this record …
	sum      string // … whose line has this sum
}

// family looks at the first line of every log, and of what is kept of removed
// ones. What it cannot read is an error: it may need what is about to be cut.
func (s *Store) family(ctx context.Context) ([]relative, error) {
	var all []relative
	for e, err := range s.beside(func(rest string) bool { return rest == logSuffix || rest == keptSuffix }) {
		r := relative{id: e.id}
		if err = errors.Join(err, ctx.Err()); err == nil {
			r.path, r.kept = e.path(), isKept(e.Name())
			err = s.relate(&r)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
		case err != nil:
			return nil, fmt.Errorf("look which threads are forks of others: %w", err)
		default:
			all = append(all, r)
		}
	}
	return all, nil
}

// relate finds out what a log needs of its parent.
func (s *Store) relate(r *relative) error {
	f, err := s.disk().Open(r.path, os.O_RDONLY)
	if err != nil {
		return err
	}
	src, err := s.source(f, r.id, r.path)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	defer src.Close()
	parent, sure, err := src.peekParent()
	if err != nil || sure && parent == "" {
		return err
	}
	t, err := src.first()
	if stops(err) && err != io.EOF {
		return err
	}
	r.parent, r.need, r.seq, r.sum = t.Parent, t.ForkByte, t.ForkSeq, t.ForkSum
	if err != nil {
		r.parent, r.need = parent, math.MaxInt64 // the line is damaged
	}
	return nil
}

var parentField, baseField = []byte(`"parent":"`), []byte(`"base":`)

// peekParent looks for the parent's id at the start of the first line, without
// checking the line. It is sure when all before the instructions was seen, which
// are the only long text there and stand last.
func (f *source) peekParent() (id string, sure bool, err error) {
	buf := make([]byte, min(f.size, 4<<10)) // fixed: only a look; when it is not sure the whole line is read
	if _, err := f.ReadAt(buf, 0); err != nil && !errors.Is(err, io.EOF) {
		return "", false, err
	}
	line, _, ended := bytes.Cut(buf, []byte("\n"))
	_, rest, ok := bytes.Cut(line, parentField)
	if ok && len(rest) >= idLength {
		id = string(rest[:idLength])
	}
	return id, ok || ended || bytes.Contains(line, baseField), nil
}

// needs returns how many bytes of each kept log other logs need. One that only
// such logs need that nothing needs themselves is needed by nothing.
func needs(all []relative) map[string]int64 {
	for {
		need := map[string]int64{}
		for _, r := range all {
			need[r.parent] = max(need[r.parent], r.need)
		}
		left := make([]relative, 0, len(all))
		for _, r := range all {
			if !r.kept || need[r.id] > 0 {
				left = append(left, r)
			}
		}
		if len(left) == len(all) {
			return need
		}
		all = left
	}
}
