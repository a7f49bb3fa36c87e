package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Claim reports whether the caller is the one who makes the index in the background:
// nobody else is for as long as d, unless the one who claimed it calls it again.
func (x *Index) Claim(ctx context.Context, d time.Duration) (mine bool, err error) {
	now := time.Now()
	err = x.write(ctx, func(tx *sql.Tx) error {
		done, err := tx.Exec("update builder set until = ? where until <= ?", now.Add(d).UnixMilli(), now.UnixMilli())
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		mine = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("claim the index of threads: %w", err)
	}
	return mine, nil
}

// Extend claims the index for as long as d, whoever claimed it. With 0 it gives the
// claim back.
func (x *Index) Extend(ctx context.Context, d time.Duration) error {
	until := time.Now().Add(d).UnixMilli()
	err := x.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("update builder set until = ?", until)
		return err
	})
	if err != nil {
		return fmt.Errorf("claim the index of threads: %w", err)
	}
	return nil
}

// Compact gives the space back that rows left behind, so that nothing remains in the
// file of what was deleted, and returns how many bytes there are less.
func (x *Index) Compact(ctx context.Context) (freed int64, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	before := x.size()
	for _, step := range []string{"insert into words (words) values ('optimize')", "vacuum", "pragma wal_checkpoint(truncate)"} {
		if _, err := x.db.ExecContext(ctx, step); err != nil {
			return 0, fmt.Errorf("give space of the index of threads back: %w", err)
		}
	}
	return max(before-x.size(), 0), nil
}

// size is what the file and its journals have on the disk.
func (x *Index) size() (n int64) {
	if x.path == "" {
		return 0
	}
	n, _ = Size([]string{x.path, x.path + "-wal", x.path + "-shm"}) // it is told, and nothing hangs on it
	return n
}

// Files returns the files in dir that are an index of threads, of any version, and
// those of them that this version does not need: older ones, and damaged ones that
// were moved aside.
func Files(dir string) (all, stale []string, err error) {
	all, err = filepath.Glob(filepath.Join(dir, "index-*.db*"))
	if err != nil {
		return nil, nil, err
	}
	current := fmt.Sprintf("index-%d.db", version)
	for _, f := range all {
		switch filepath.Base(f) {
		case current, current + "-wal", current + "-shm":
		default:
			stale = append(stale, f)
		}
	}
	return all, stale, nil
}

// Size returns what files have on the disk; those that are gone meanwhile have
// nothing.
func Size(files []string) (n int64, err error) {
	for _, f := range files {
		info, err := os.Stat(f)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return n, err
		}
		n += info.Size()
	}
	return n, nil
}
