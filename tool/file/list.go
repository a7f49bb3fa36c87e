package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ListQuery says what to list.
type ListQuery struct {
	Dir     string
	Pattern string // a glob for names, or for paths when it has a slash; "" for all
	Depth   int    // folders deeper than this are only counted; 0 for no bound
	Most    int    // entries that are returned
	// Distrusted folders hold no programs that are run.
	Distrusted []string
}

// Listing is a sorted list of files, and of folders as "name/ (n files)".
type Listing struct {
	Entries []string
	More    int  // further entries that were found
	Late    bool // ctx ended before everything was seen
}

// List looks through a folder, leaving out what git ignores.
func List(ctx context.Context, q ListQuery) (Listing, error) {
	if err := folder(q.Dir); err != nil {
		return Listing{}, err
	}
	if !doublestar.ValidatePattern(q.Pattern) {
		return Listing{}, fmt.Errorf("%q is not a glob; try *.go or src/**/*.ts", q.Pattern)
	}
	l := lister{most: q.Most, seen: map[string]int{}}
	for name := range files(ctx, q.Dir, q.Distrusted) {
		if q.Pattern == "" || globMatch(q.Pattern, name) {
			l.add(shorten(name, q.Depth))
		}
	}
	return Listing{Entries: l.entries(), More: l.more, Late: ctx.Err() != nil}, nil
}

func folder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	return nil
}

func globMatch(pattern, name string) bool {
	if !strings.Contains(pattern, "/") {
		name = path.Base(name)
	}
	ok, err := doublestar.Match(pattern, name)
	return ok && err == nil
}

// shorten returns name, or the folder at the given depth that it is in.
func shorten(name string, depth int) string {
	if depth <= 0 {
		return name
	}
	rest := name
	for range depth {
		_, after, deeper := strings.Cut(rest, "/")
		if !deeper {
			return name
		}
		rest = after
	}
	return name[:len(name)-len(rest)]
}

// lister keeps the first entries of a sorted list in bounded memory.
type lister struct {
	most int
	seen map[string]int // entry to number of files
	more int
}

func (l *lister) add(entry string) {
	l.seen[entry]++
	if len(l.seen) > 4*l.most {
		l.trim()
	}
}

// trim forgets all but the first entries.
func (l *lister) trim() []string {
	names := slices.Sorted(maps.Keys(l.seen))
	if len(names) > l.most {
		for _, n := range names[l.most:] {
			delete(l.seen, n)
		}
		l.more += len(names) - l.most
		names = names[:l.most]
	}
	return names
}

func (l *lister) entries() []string {
	names := l.trim()
	for i, n := range names {
		if strings.HasSuffix(n, "/") {
			names[i] = fmt.Sprintf("%s (%d files)", n, l.seen[n])
		}
	}
	return names
}
