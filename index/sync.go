package index

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein"
)

// Logs is where the threads' logs are.
type Logs struct {
	// FS holds them, in folders of any depth: <id>.jsonl for each thread, with
	// <id>.lock beside it while somebody writes.
	FS fs.FS
	// Read returns the records that stand in a log behind the sequence number
	// after, of a fork its own. What cannot be read is an error, after which more
	// may follow.
	Read func(id string, after int64) iter.Seq2[longrein.Record, error]
	// Shared returns what tells how a fork stood when it began, of the records that
	// it shares with its parent: the input that it is known by, and those from the
	// last window on. It may be nil.
	Shared func(longrein.Thread) iter.Seq[longrein.Record]
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
	// Threads is how many there are, and Behind how many of them are not up to date
	// because the look was stopped.
	Threads, Behind int
}

// Sync brings the index up to date with the logs, the newest first. Every log gets
// a row; one that cannot be read gets one too, and is marked. Rows whose log is gone
// are dropped; those in a folder that cannot be read stay, with a warning. When ctx
// ends what was done until then stays.
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
	l := look{Index: x, depth: depth, gone: map[string]bool{}}
	// What is to be done is found first, whatever ctx says: it takes little time,
	// and then it is known how much is behind.
	if err := l.walk(context.WithoutCancel(ctx)); err != nil {
		return l.report, err
	}
	for _, f := range l.found {
		if err := l.update(ctx, f); err != nil {
			return l.report, err
		}
	}
	return l.report, l.drop(ctx)
}

// walk looks at the folders and finds what has changed, the newest first.
func (l *look) walk(ctx context.Context) (err error) {
	if l.known, err = l.folders(ctx); err != nil {
		return err
	}
	for dir := range l.known {
		l.gone[dir] = true
	}
	if l.report.Threads, err = l.count(ctx); err != nil {
		return err
	}
	for todo := []string{"."}; len(todo) > 0; {
		dir := todo[len(todo)-1]
		below, err := l.folder(ctx, dir)
		if err != nil {
			return err
		}
		todo = append(todo[:len(todo)-1], below...)
	}
	slices.SortFunc(l.found, func(a, b *listing) int { return strings.Compare(b.dir, a.dir) })
	return nil
}

// look is one walk over the logs' folders.
type look struct {
	*Index
	depth  Depth
	known  map[string]int64 // stamps of folders at the last look
	gone   map[string]bool  // known folders that were not met yet
	found  []*listing       // folders that were not settled
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
	if f.stamp = stamp; f.written() || time.Since(info.ModTime()) < settled {
		f.stamp = 0
	}
	l.found = append(l.found, f)
	return f.below, l.compare(ctx, f)
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
	stamp int64 // 0 unless it is settled
	below []string
	logs  map[string]fs.DirEntry // by id
	locks map[string]bool        // by id

	changed []file          // logs whose rows are not up to date, the newest first
	gone    map[string]bool // rows whose logs are not there
}

// file is a log as its folder shows it. Err is set when it cannot be looked at.
type file struct {
	id    string
	info  fs.FileInfo
	err   error
	known bool // it has a row
	begun bool // this look has read a part of it
}

func (f *file) stamp() int64 { return stampOf(f.info.Size(), f.info.ModTime()) }

func newFolder(dir string, entries []fs.DirEntry) *listing {
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
	return &f
}

// written reports whether somebody may be writing to a log of the folder.
func (f *listing) written() bool { return len(f.locks) > 0 }

// compare finds what of a folder has changed.
func (l *look) compare(ctx context.Context, f *listing) error {
	had, err := l.stamps(ctx, f.dir)
	if err != nil {
		return err
	}
	f.gone = map[string]bool{}
	for id := range had {
		f.gone[id] = true
	}
	for id, entry := range f.logs {
		info, err := entry.Info()
		if isGone(err) {
			continue
		}
		delete(f.gone, id)
		old, known := had[id]
		c := file{id: id, info: info, err: err, known: known}
		if err == nil && known && old == c.stamp() && l.depth != Rebuild {
			continue
		}
		f.changed = append(f.changed, c)
		if !known {
			l.report.Threads++
		}
	}
	slices.SortFunc(f.changed, func(a, b file) int { return strings.Compare(b.id, a.id) })
	l.report.Threads -= len(f.gone)
	l.report.Behind += len(f.changed)
	return nil
}
