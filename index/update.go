package index

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"path"
)

// batch is how many rows a transaction writes at most: enough to be quick, few
// enough that other processes need not wait long.
const batch = 256

// update brings the rows of one folder up to date and notes its stamp.
func (l *look) update(ctx context.Context, f listing, stamp int64) error {
	had, err := l.stamps(ctx, f.dir)
	if err != nil {
		return err
	}
	var fresh []Entry
	for id, file := range f.logs { // what is left in had afterwards is gone
		old, known := had[id]
		delete(had, id)
		info, err := file.Info()
		if isGone(err) {
			continue
		}
		if err == nil && known && old == stampOf(info.Size(), info.ModTime()) && l.depth != Rebuild {
			continue
		}
		e, err := l.read(ctx, f, id, info, err)
		if err != nil {
			return err
		}
		l.count(known)
		if fresh = append(fresh, e); len(fresh) == batch {
			if err := l.save(ctx, fresh, nil); err != nil {
				return err
			}
			fresh = fresh[:0]
		}
	}
	l.report.Removed += len(had)
	if old, ok := l.known[f.dir]; ok && old == stamp && len(fresh) == 0 && len(had) == 0 {
		return nil // and a list that finds nothing new writes nothing
	}
	return l.save(ctx, fresh, func(tx *sql.Tx) error { return settle(tx, f, stamp, had) })
}

func (l *look) count(known bool) {
	if known {
		l.report.Changed++
	} else {
		l.report.Added++
	}
}

// read folds what the row does not know yet of a log. It goes on where the row
// ends, or begins anew when the log is shorter than it was or was damaged.
func (l *look) read(ctx context.Context, f listing, id string, info fs.FileInfo, unreadable error) (Entry, error) {
	e, err := l.get(ctx, id)
	if err != nil {
		return Entry{}, err
	}
	if unreadable != nil {
		e.ID, e.Path, e.Damaged = id, path.Join(f.dir, id+logSuffix), unreadable.Error()
		return e, nil
	}
	if l.depth == Rebuild || info.Size() < e.Size || e.Damaged != "" {
		e = Entry{}
	}
	trailing := ""
	for r, err := range l.logs.Read(id, e.Seq) {
		if ctx.Err() != nil {
			return Entry{}, ctx.Err()
		}
		if err != nil {
			trailing = err.Error()
			continue
		}
		if trailing != "" && e.Damaged == "" {
			e.Damaged = trailing
		}
		e = Fold(l.limits, e, r)
	}
	// The last line of a log that is being written may be half there.
	if e.Damaged == "" && !f.locks[id] {
		e.Damaged = trailing
	}
	e.ID, e.Path = id, path.Join(f.dir, id+logSuffix)
	e.Size, e.Modified = info.Size(), info.ModTime()
	if e.Seq == 0 {
		e.Created, e.Updated = e.Modified, e.Modified
	}
	return e, nil
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
