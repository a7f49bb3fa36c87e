package skill

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/longrein/longrein/limit"
)

// settled is how old a change has to be for a later one to show in the file's time.
// Until then what was read is not relied on.
const settled = 2 * time.Second // fixed: the coarsest clock of a file system

// stamp tells whether something on disk is as it was.
type stamp struct {
	info    os.FileInfo
	settled bool
}

func stampOf(info os.FileInfo) stamp {
	return stamp{info, time.Since(info.ModTime()) > settled}
}

// same reports whether nothing has been changed since the stamp was made.
func (s stamp) same(info os.FileInfo) bool {
	return s.settled && os.SameFile(s.info, info) && s.info.Size() == info.Size() && s.info.ModTime().Equal(info.ModTime())
}

// file is a SKILL.md as it was read.
type file struct {
	stamp
	*content
}

// content is what came of it. It stays the same one while it says the same.
type content struct {
	skill    Skill
	problems []Problem
	ok       bool // there is a skill
}

// dir is a folder as it was listed.
type dir struct {
	stamp
	*listing
}

// listing is what came of it. It stays the same one while it says the same.
type listing struct {
	below    []below
	problems []Problem
	names    int  // that were looked at
	cut      bool // there are more
}

// below is something in a folder that may be one too.
type below struct {
	name string
	link bool
}

// cache is what was read, by path.
type cache struct {
	files map[string]*file
	dirs  map[string]*dir
}

func newCache() cache { return cache{map[string]*file{}, map[string]*dir{}} }

// readFile returns a SKILL.md, which is read only if it is not as in old.
func readFile(old *file, path string, info os.FileInfo, limits limit.Set) *file {
	if old != nil && old.same(info) {
		return old
	}
	now := &content{}
	raw, _, err := readStart(path, limits.Int(limit.SkillFrontMatter)+fences)
	if err != nil {
		now.problems = []Problem{{Error, path, 0, "it cannot be read, so the skill is not there: " + reason(err)}}
	} else {
		now.skill, now.problems, now.ok = Parse(path, raw, limits)
	}
	if old != nil && reflect.DeepEqual(old.content, now) {
		now = old.content
	}
	return &file{stampOf(info), now}
}

// fences is room for what stands around a front matter: its first and last line and
// a byte order mark.
const fences = 64

// listDir returns what a folder has, which is listed only if it is not as in old.
func listDir(old *dir, path string, info os.FileInfo, most int) *dir {
	if old != nil && old.same(info) && !old.cut {
		return old
	}
	now := &listing{}
	now.fill(path, most)
	if old != nil && reflect.DeepEqual(old.listing, now) {
		now = old.listing
	}
	return &dir{stampOf(info), now}
}

// fill takes what the folder has, up to so many names.
func (d *listing) fill(path string, most int) {
	f, err := os.Open(path)
	if err != nil {
		d.problems = []Problem{{Warning, path, 0, "the folder cannot be looked into: " + reason(err)}}
		return
	}
	defer f.Close()
	for !d.cut {
		entries, err := f.ReadDir(batch)
		for _, e := range entries {
			if d.cut = d.names == most; d.cut {
				break
			}
			d.names++
			d.take(path, e)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			d.problems = append(d.problems, Problem{Warning, path, 0, "the folder cannot be listed whole: " + reason(err)})
			break
		}
	}
	slices.SortFunc(d.below, func(a, b below) int { return strings.Compare(a.name, b.name) })
}

// batch is how many names are asked for at once.
const batch = 1024

// take keeps what may be a folder. Hidden ones are not looked at.
func (d *listing) take(path string, e fs.DirEntry) {
	name := e.Name()
	switch {
	case strings.EqualFold(name, FileName) && name != FileName && e.Type().IsRegular():
		d.problems = append(d.problems, Problem{Warning, filepath.Join(path, name), 0, "a skill's file has to be called " + FileName + ". Rename it"})
	case strings.HasPrefix(name, "."):
	case e.IsDir(), e.Type()&fs.ModeSymlink != 0:
		d.below = append(d.below, below{name, e.Type()&fs.ModeSymlink != 0})
	}
}

// reason is an error without the path that stands beside it anyway.
func reason(err error) string {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}
