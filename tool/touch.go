package tool

import (
	"path/filepath"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/tool/file"
	"github.com/longrein/longrein/tool/shell"
)

// touches collects what a call did to files, for its output. Only what is certain
// is told: a content's hash is left out where the content is not at hand.
type touches struct {
	set   *Set
	room  int64 // bytes that may still be read for hashes
	files []longrein.FileTouch
	more  int // files over the limit
}

func (s *Set) touches() *touches {
	return &touches{set: s, room: s.o.Limits.Of(limit.FileRead)}
}

// add takes a file in, once; path is absolute. The worker's own list is none of
// the task's files.
func (t *touches) add(path string, op longrein.FileOp, hash string) {
	name := t.set.name(path)
	if path == t.set.todo() {
		return
	}
	if slices.ContainsFunc(t.files, func(f longrein.FileTouch) bool { return f.Path == name && f.Op == op }) {
		return
	}
	if len(t.files) >= t.set.o.Limits.Int(limit.CallFiles) {
		t.more++
		return
	}
	t.files = append(t.files, longrein.FileTouch{Path: name, Op: op, Hash: hash})
}

// changed takes in a file that was changed, with the hash of what it holds now.
func (t *touches) changed(path string) {
	hash := ""
	if len(t.files) < t.set.o.Limits.Int(limit.CallFiles) {
		var size int64
		hash, size, _ = file.Hash(path, t.room) // what cannot be read has no hash
		t.room -= size
	}
	t.add(path, longrein.FileChanged, hash)
}

// into puts what was collected into a call's result.
func (t *touches) into(res *longrein.ToolResult) {
	res.Output.Files = t.files
	if t.more > 0 {
		l := t.set.o.Limits
		res.Limits = append(res.Limits, l.Hit(limit.CallFiles, "files that a call touched", int64(t.more), ""))
	}
}

// name is how an absolute path is recorded: relative to the working folder where
// it is below that.
func (s *Set) name(path string) string {
	path = filepath.Clean(path)
	if name, err := filepath.Rel(s.o.Cwd, path); err == nil && filepath.IsLocal(name) {
		path = name
	}
	return filepath.ToSlash(path)
}

// ran tells of the files that a command has read and changed for certain. It must
// have ended well. What it changed outside of the working folder, and what is no
// regular file, is not looked at.
func (s *Set) ran(c command, res *longrein.ToolResult) {
	t := s.touches()
	read, changed := shell.Files(c.text, c.dir)
	for _, path := range changed {
		if s.inside(path) && file.Regular(path) {
			t.changed(path)
		}
	}
	for _, path := range read {
		if file.Regular(path) {
			t.add(path, longrein.FileRead, "")
		}
	}
	t.into(res)
}

// inside reports whether a file really is in the working folder.
func (s *Set) inside(path string) bool {
	dir, err := filepath.EvalSymlinks(s.o.Cwd)
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	name, err := filepath.Rel(dir, real)
	return err == nil && filepath.IsLocal(name)
}
