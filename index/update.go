package index

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"path"
	"time"

	"github.com/longrein/longrein"
)

// A transaction writes so many rows and so much text at most: enough to be quick,
// little enough that other processes need not wait long and that memory is bounded.
const (
	batchRows  = 256
	batchBytes = 8 << 20 // fixed: what is left goes into the next transaction
)

// change is what a look found of a thread.
type change struct {
	Entry
	anew     bool // what was known of it is forgotten
	named    bool // it has another name
	passages []passage
	backs    []back
	bytes    int // of texts
}

// back is a rollback.
type back struct{ seq, to int64 }

// note takes the next record in.
func (l *look) note(c *change, r longrein.Record) {
	switch b := r.Body.(type) {
	case longrein.Thread:
		if b.Parent != "" && c.Seq == 0 && l.logs.Shared != nil {
			c.Entry = inherited(l.limits, l.logs.Shared(b))
		}
	case longrein.Renamed:
		c.named = true
	case longrein.Rollback:
		c.backs = append(c.backs, back{r.Seq, b.To})
	default:
		if p := said(l.limits, c.Entry, r); p.text != "" {
			c.passages = append(c.passages, p)
			c.bytes += len(p.text)
		}
	}
	c.Entry = Fold(l.limits, c.Entry, r)
}

// update brings the rows of one folder up to date and notes its stamp.
func (l *look) update(ctx context.Context, f *listing) error {
	if err := l.skip(ctx, f); err != nil {
		return err
	}
	var fresh []change
	for bytes := 0; len(f.changed) > 0; {
		c, done, err := l.read(ctx, f, &f.changed[0])
		if err != nil {
			return err
		}
		if done || c.Seq > 0 {
			fresh, bytes = append(fresh, c), bytes+c.bytes
		}
		if done {
			l.done(f)
		}
		if done && len(fresh) < batchRows && bytes < batchBytes && ctx.Err() == nil {
			continue
		}
		if err := errors.Join(l.save(ctx, fresh, nil), ctx.Err()); err != nil {
			return err
		}
		fresh, bytes = fresh[:0], 0
	}
	l.report.Removed += len(f.gone)
	if old, ok := l.known[f.dir]; ok && old == f.stamp && len(fresh) == 0 && len(f.gone) == 0 {
		return nil // and a list that finds nothing new writes nothing
	}
	return l.save(ctx, fresh, func(tx *sql.Tx) error { return settle(tx, f) })
}

// skip leaves out what another process has done since the walk. It is worth a look
// only when there is much to do.
func (l *look) skip(ctx context.Context, f *listing) error {
	if len(f.changed) < 20 || l.depth == Rebuild { // fixed: nothing is lost by doing it twice
		return nil
	}
	now, err := l.stamps(context.WithoutCancel(ctx), f.dir)
	if err != nil {
		return err
	}
	left := f.changed[:0]
	for _, c := range f.changed {
		if c.err == nil && now[c.id] == c.stamp() {
			l.report.Behind--
			continue
		}
		left = append(left, c)
	}
	f.changed = left
	return nil
}

// done counts the first of a folder's changed logs.
func (l *look) done(f *listing) {
	if f.changed[0].known {
		l.report.Changed++
	} else {
		l.report.Added++
	}
	f.changed = f.changed[1:]
	l.report.Behind--
	l.progress(l.report.Threads-l.report.Behind, l.report.Threads)
}

// read folds what the row does not know yet of a log, and reports whether that is
// all there is. It goes on where the row ends, or begins anew when the log is
// shorter than it was or was damaged.
func (l *look) read(ctx context.Context, f *listing, log *file) (c change, done bool, err error) {
	if c.Entry, err = l.get(context.WithoutCancel(ctx), log.id); err != nil {
		return c, false, err
	}
	if log.err != nil {
		c.ID, c.Path, c.Damaged = log.id, path.Join(f.dir, log.id+logSuffix), log.err.Error()
		return c, true, nil
	}
	if !log.begun && (l.depth == Rebuild || log.info.Size() < c.Size || c.Damaged != "") || c.Seq == 0 {
		c = change{anew: true}
	}
	log.begun = true
	done = l.fold(ctx, &c, log.id, !f.locks[log.id])
	c.ID, c.Path = log.id, path.Join(f.dir, log.id+logSuffix)
	c.Size, c.Modified = log.info.Size(), log.info.ModTime()
	if c.Seq == 0 {
		c.Created, c.Updated = c.Modified, c.Modified
	}
	if !done {
		c.Size, c.Modified = 0, time.Time{} // no log's, so that the next look goes on
	}
	return c, done, nil
}

// fold adds a log's records to c, until all are or there is enough for a
// transaction. In a log that is whole, what follows the last record is damage; while
// somebody writes to it the last line may be half there.
func (l *look) fold(ctx context.Context, c *change, id string, whole bool) (all bool) {
	trailing := ""
	for r, err := range l.logs.Read(id, c.Seq) {
		switch {
		case ctx.Err() != nil || c.bytes >= batchBytes:
			return false
		case err != nil:
			trailing = err.Error()
			continue
		case trailing != "" && c.Damaged == "":
			c.Damaged = trailing
		}
		l.note(c, r)
	}
	if c.Damaged == "" && whole {
		c.Damaged = trailing
	}
	return true
}

// drop removes the folders that are gone, with their rows.
func (l *look) drop(ctx context.Context) error {
	for dir := range l.gone {
		had, err := l.stamps(ctx, dir)
		if err != nil {
			return err
		}
		l.report.Removed += len(had)
		if err := l.write(ctx, func(tx *sql.Tx) error { return forget(tx, dir, had) }); err != nil {
			return err
		}
	}
	return nil
}

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
