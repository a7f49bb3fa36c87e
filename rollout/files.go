package rollout

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/longrein/longrein/limit"
)

// File is a log as its folder shows it.
type File struct {
	ID       string
	Path     string
	Bytes    int64
	Modified time.Time
}

// Files returns every log, the thread that began last first. An error stands for
// a folder or file that could not be read; the rest follows.
func (s *Store) Files() iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for l, err := range s.logs("", "~") {
			var f File
			if err == nil {
				f, err = l.file()
			}
			if errors.Is(err, fs.ErrNotExist) {
				continue // removed meanwhile
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// Find returns the id that ref stands for: a whole id, which is found at once,
// or the beginning of exactly one. When several begin with ref the error is an
// [*ErrAmbiguous]; when none does it is an [fs.ErrNotExist].
func (s *Store) Find(ref string) (string, error) {
	ref = strings.ToLower(strings.TrimSpace(ref))
	if len(ref) == idLength {
		_, err := s.find(ref)
		return ref, err
	}
	first, last, err := days(ref)
	if err != nil {
		return "", err
	}
	found := &ErrAmbiguous{Ref: ref}
	for l, err := range s.logs(first, last) {
		if err != nil {
			return "", err
		}
		if !strings.HasPrefix(l.id, ref) {
			continue
		}
		if found.More = len(found.IDs) >= s.Limits.Int(limit.Candidates); found.More {
			break
		}
		found.IDs = append(found.IDs, l.id)
	}
	switch len(found.IDs) {
	case 0:
		return "", fmt.Errorf("find thread %s: %w", ref, missing(fs.ErrNotExist, s.Root))
	case 1:
		return found.IDs[0], nil
	}
	return "", found
}

const idLength = len("00000000-0000-0000-0000-000000000000")

// days returns the first and the last folder in which ids beginning with ref can
// be: an id begins with the time of its thread.
func days(ref string) (first, last string, err error) {
	digits := strings.ReplaceAll(ref, "-", "")
	if ref == "" || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", "", fmt.Errorf("%q is not a thread's id or the beginning of one", ref)
	}
	end := func(fill string) string {
		ms, _ := strconv.ParseInt((digits + strings.Repeat(fill, 12))[:12], 16, 64) // fixed: the digits of an id that are a time
		return day(ms)
	}
	return end("0"), end("f"), nil
}

// entry is a log, or a file beside one, in a listing.
type entry struct {
	fs.DirEntry
	id, dir string
}

func (e entry) path() string { return filepath.Join(e.dir, e.Name()) }

func (e entry) file() (File, error) {
	info, err := e.Info()
	if err != nil {
		return File{}, err
	}
	return File{ID: e.id, Path: e.path(), Bytes: info.Size(), Modified: info.ModTime()}, nil
}

// logs returns the logs in the folders first to last, newest first.
func (s *Store) logs(first, last string) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		isLog := func(rest string) bool { return rest == logSuffix }
		walk{s.disk(), s.threads(), first, last, isLog, yield}.folder("")
	}
}

// beside returns the files of threads whose names go on after the id as match
// wants.
func (s *Store) beside(match func(rest string) bool) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		walk{s.disk(), s.threads(), "", "~", match, yield}.folder("")
	}
}

type walk struct {
	disk        Disk
	root        string
	first, last string                 // folders of days, in between which it stays
	match       func(rest string) bool // of a file's name after the id
	yield       func(entry, error) bool
}

// dayDepth is how many folders a day's one is deep.
const dayDepth = 3

// folder walks the folder rel, which is slash-separated and below the root, and
// reports whether to go on.
func (w walk) folder(rel string) bool {
	dir := filepath.Join(w.root, filepath.FromSlash(rel))
	entries, err := w.disk.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !w.yield(entry{}, err) {
		return false
	}
	for _, e := range slices.Backward(entries) {
		if !w.entry(rel, dir, e) {
			return false
		}
	}
	return true
}

func (w walk) entry(rel, dir string, e fs.DirEntry) bool {
	if strings.Count(rel, "/") == dayDepth-1 {
		name := e.Name()
		return len(name) <= idLength || !w.match(name[idLength:]) || w.yield(entry{e, name[:idLength], dir}, nil)
	}
	below := path.Join(rel, e.Name())
	return !e.IsDir() || !w.within(below) || w.folder(below)
}

// within reports whether a folder can hold one of the days.
func (w walk) within(rel string) bool {
	n := len(rel)
	return rel >= w.first[:min(n, len(w.first))] && rel[:min(n, len(w.last))] <= w.last
}
