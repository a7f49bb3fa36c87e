package snapshot

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/longrein/longrein/limit"
)

// entry is how a file stands: in a snapshot, or now. The zero value means that
// there is none.
type entry struct {
	mode string // as git writes it
	hash string // of the content
}

// The modes there are in snapshots, and two more that things can have now.
const (
	plain      = "100644"
	executable = "100755"
	link       = "120000"
	folder     = "folder"
	other      = "other" // cannot be in a snapshot
)

// newHash returns the hash by which git names a content of that size.
func newHash(size int64) hash.Hash {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", size)
	return h
}

func hexSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// now returns how a path stands. Links are not followed, and what lies behind one
// is not there.
func (s *Store) now(root *os.Root, path string) (entry, error) {
	if _, blocked := s.inTheWay(root, path); blocked {
		return entry{}, nil
	}
	info, err := root.Lstat(path)
	switch {
	case missing(err):
		return entry{}, nil
	case err != nil:
		return entry{}, err
	case info.IsDir():
		return entry{mode: folder}, nil
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(path)
		h := newHash(int64(len(target)))
		_, _ = io.WriteString(h, target)
		return entry{link, hexSum(h)}, err
	case !info.Mode().IsRegular(), info.Size() > s.limits.Of(limit.SnapshotFile):
		return entry{mode: other}, nil
	}
	return fileNow(root, path, info)
}

func fileNow(root *os.Root, path string, info fs.FileInfo) (entry, error) {
	f, err := root.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return entry{mode: other}, nil
	}
	if err != nil {
		return entry{}, err
	}
	defer f.Close()
	h := newHash(info.Size())
	if _, err := io.Copy(h, io.LimitReader(f, info.Size()+1)); err != nil {
		return entry{}, err
	}
	mode := plain
	if info.Mode()&0o100 != 0 {
		mode = executable
	}
	return entry{mode, hexSum(h)}, nil
}

// inTheWay returns the first of the folders around a path that is something else
// now.
func (s *Store) inTheWay(root *os.Root, path string) (string, bool) {
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		info, err := root.Lstat(path[:i])
		if missing(err) {
			return "", false
		}
		if err != nil || !info.IsDir() {
			return path[:i], true
		}
	}
	return "", false
}

// change is a path that stands differently in two snapshots.
type change struct {
	path     string
	from, to entry
}

// changes compares the files of two snapshots.
func (s *Store) changes(ctx context.Context, from, to string) ([]change, error) {
	var all []change
	var c change
	open := false // the path comes next
	each := func(field string) error {
		if open = !open; open {
			return c.parse(field)
		}
		if c.path = field; !protected(field) && !s.skips(field) {
			all = append(all, c)
		}
		return nil
	}
	err := s.git.fields(ctx, nil, each, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from+":"+filesPart, to+":"+filesPart)
	return all, err
}

// parse reads ":100644 100755 HASH HASH M".
func (c *change) parse(meta string) error {
	f := strings.Fields(strings.TrimPrefix(meta, ":"))
	if len(f) != 5 {
		return fmt.Errorf("git diff-tree printed %q", meta)
	}
	c.from, c.to = side(f[0], f[2]), side(f[1], f[3])
	return nil
}

func side(mode, hash string) entry {
	if mode == "000000" {
		return entry{}
	}
	return entry{mode, hash}
}

// leftOut returns what a snapshot left out.
func (s *Store) leftOut(ctx context.Context, tree string) (leftOuts, error) {
	var text bytes.Buffer
	err := s.git.run(ctx, nil, &text, "cat-file", "blob", tree+":"+leftPart)
	return decodeLeftOuts(text.String()), err
}
