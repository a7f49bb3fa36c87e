package index

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"
	"time"

	"github.com/longrein/longrein"
)

// Logs is where the threads' logs are.
type Logs struct {
	// FS holds them, in folders of any depth: <id>.jsonl for each thread, with
	// <id>.lock beside it while somebody writes.
	FS fs.FS
	// Read returns the records of a log behind the sequence number after. What
	// cannot be read is an error, after which more may follow.
	Read func(id string, after int64) iter.Seq2[longrein.Record, error]
}

const (
	logSuffix  = ".jsonl"
	lockSuffix = ".lock"
)

// Depth says how far a look at the logs goes.
type Depth int

// Quick trusts settled folders; see the package comment. Full looks at the size
// and time of every log, Rebuild reads every log from its first record.
const (
	Quick Depth = iota
	Full
	Rebuild
)

// Report says what a look found.
type Report struct {
	Added, Changed, Removed int
	Listed                  int // folders that were not settled
}

// Sync brings the index up to date with the logs. Every log gets a row; one that
// cannot be read gets one too, and is marked. Rows whose log is gone are
// dropped; those in a folder that cannot be read stay, with a warning.
func (x *Index) Sync(ctx context.Context, depth Depth) (Report, error) {
	var r Report
	err := x.mended(ctx, func() (err error) {
		r, err = x.look(ctx, depth)
		return err
	})
	if err != nil {
		return r, fmt.Errorf("bring the index of threads up to date: %w", err)
	}
	return r, nil
}

func (x *Index) look(ctx context.Context, depth Depth) (Report, error) {
	if x.logs.FS == nil {
		return Report{}, nil
	}
	known, err := x.folders(ctx)
	if err != nil {
		return Report{}, err
	}
	l := look{Index: x, depth: depth, known: known, gone: map[string]bool{}}
	for dir := range known {
		l.gone[dir] = true
	}
	for todo := []string{"."}; len(todo) > 0; {
		dir := todo[len(todo)-1]
		below, err := l.folder(ctx, dir)
		if err != nil {
			return l.report, err
		}
		todo = append(todo[:len(todo)-1], below...)
	}
	return l.report, l.drop(ctx)
}

// look is one walk over the logs' folders.
type look struct {
	*Index
	depth  Depth
	known  map[string]int64 // stamps of folders at the last look
	gone   map[string]bool  // known folders that were not met yet
	report Report
}

// settled is how old a folder's time must be to be trusted: within the same tick
// of a file system's clock, which is up to two seconds, a further change cannot
// be seen.
const settled = 2 * time.Second // fixed: the coarsest clock of a file system

// folder looks at one folder and returns those in it.
func (l *look) folder(ctx context.Context, dir string) (below []string, err error) {
	delete(l.gone, dir)
	info, err := fs.Stat(l.logs.FS, dir)
	if err != nil {
		return l.unreadable(dir, err), nil
	}
	stamp := info.ModTime().UnixNano()
	if old, ok := l.known[dir]; ok && old == stamp && old != 0 && l.depth == Quick {
		return l.under(dir), nil
	}
	entries, err := fs.ReadDir(l.logs.FS, dir)
	if err != nil {
		return l.unreadable(dir, err), nil
	}
	l.report.Listed++
	f := newFolder(dir, entries)
	if f.written() || time.Since(info.ModTime()) < settled {
		stamp = 0
	}
	return f.below, l.update(ctx, f, stamp)
}

// under returns the known folders directly in dir.
func (l *look) under(dir string) []string {
	var out []string
	for d := range l.known {
		if d != "." && path.Dir(d) == dir {
			out = append(out, d)
		}
	}
	return out
}

// unreadable keeps what is known of a folder, and of those in it. A folder that
// is not there stays gone.
func (l *look) unreadable(dir string, err error) []string {
	if isGone(err) {
		if _, ok := l.known[dir]; ok {
			l.gone[dir] = true
		}
		return nil
	}
	l.warn(fmt.Sprintf("a folder of logs cannot be read, its threads are listed as they were: %v", err))
	return l.under(dir)
}

// listing is what a folder holds.
type listing struct {
	dir   string
	below []string
	logs  map[string]fs.DirEntry // by id
	locks map[string]bool        // by id
}

func newFolder(dir string, entries []fs.DirEntry) listing {
	f := listing{dir: dir, logs: map[string]fs.DirEntry{}, locks: map[string]bool{}}
	for _, e := range entries {
		if e.IsDir() {
			f.below = append(f.below, path.Join(dir, e.Name()))
		} else if id, ok := strings.CutSuffix(e.Name(), logSuffix); ok {
			f.logs[id] = e
		} else if id, ok := strings.CutSuffix(e.Name(), lockSuffix); ok {
			f.locks[id] = true
		}
	}
	return f
}

// written reports whether somebody may be writing to a log of the folder.
func (f listing) written() bool { return len(f.locks) > 0 }
