package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/longrein/longrein/limit"
)

// Index lists threads. It may be used from anywhere at once, and its file by
// several processes.
type Index struct {
	logs     Logs
	limits   limit.Set
	path     string // of the file; empty for an index in memory
	warn     func(string)
	progress func(done, of int)

	mu   sync.Mutex // guards what follows; operations on the file are short
	db   *sql.DB
	info os.FileInfo // of the file that db has open
}

// Options are what an index is made with; the zero value is usable, and knows of
// no logs.
type Options struct {
	Logs   Logs
	Limits limit.Set
	// Warn is told, in one sentence, what a user should know that stopped
	// nothing. It may be nil.
	Warn func(text string)
	// Progress is told how many of the threads are up to date, while [Index.Sync]
	// reads logs. It may be nil.
	Progress func(done, of int)
}

// Open opens the index in a folder, and makes folder and index when they are
// not there. With an empty dir the index lives in memory: slower by a look at
// every log, and the way to list threads when the disk takes no writes. A file
// that is damaged is moved aside; [Index.Sync] then fills a new one.
func Open(dir string, o Options) (*Index, error) {
	x := &Index{logs: o.Logs, limits: o.Limits, warn: o.Warn, progress: o.Progress}
	if x.warn == nil {
		x.warn = func(string) {}
	}
	if x.progress == nil {
		x.progress = func(int, int) {}
	}
	if dir != "" {
		var err error
		if x.path, err = prepare(dir); err != nil {
			return nil, fmt.Errorf("open the index of threads: %w", err)
		}
	}
	err := x.connect()
	if damaged(err) {
		err = x.renew(err)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the index of threads: %w", err), x.Close())
	}
	return x, nil
}

// Close releases the file.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.db == nil {
		return nil
	}
	return x.db.Close()
}

// List returns the threads that q asks for, the one with the newest record
// first. It shows what the last [Index.Sync] found.
func (x *Index) List(ctx context.Context, q Query) ([]Entry, error) {
	var found []Entry
	err := x.mended(ctx, func() (err error) {
		found, err = x.list(ctx, q)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list threads: %w", err)
	}
	return found, nil
}

func (x *Index) list(ctx context.Context, q Query) ([]Entry, error) {
	n, err := x.count(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]Entry, 0, min(n, cmp.Or(max(q.Limit, 0), n))) // growing would take a quarter of the time
	var e Entry
	err = x.rows(ctx, func(rows *sql.Rows) (more bool, err error) {
		if err := scan(rows, &e); err != nil {
			return false, err
		}
		if q.match(&e) {
			found = append(found, e)
		}
		return q.Limit <= 0 || len(found) < q.Limit, nil
	}, "select entry from threads order by updated desc, id desc")
	return found, err
}

func (x *Index) count(ctx context.Context) (n int, err error) {
	err = x.rows(ctx, func(rows *sql.Rows) (bool, error) {
		return false, rows.Scan(&n)
	}, "select count(*) from threads")
	return n, err
}

// mended does what op does. When it meets a damaged file it begins a new one,
// fills it and tries once more.
func (x *Index) mended(ctx context.Context, op func() error) error {
	err := op()
	if !damaged(err) {
		return err
	}
	if err := x.renew(err); err != nil {
		return err
	}
	if _, err := x.look(ctx, Quick); err != nil {
		return err
	}
	return op()
}

// rows runs a query and gives its rows to each, until that wants no more.
func (x *Index) rows(ctx context.Context, each func(*sql.Rows) (more bool, err error), query string, args ...any) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	rows, err := x.db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if more, err := each(rows); err != nil || !more {
			return err
		}
	}
	return rows.Err()
}

// write runs do in a transaction.
func (x *Index) write(ctx context.Context, do func(*sql.Tx) error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
