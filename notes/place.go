package notes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/longrein/longrein/limit"
)

// place is a folder that was opened: nothing that is done through it reaches
// outside, whatever symlinks there are.
type place struct {
	root *os.Root
	most int64 // bytes of a document that a user made
}

// make opens the folder, and makes it where it is missing.
func (f Folder) make() (*place, error) {
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return nil, err
	}
	return f.open()
}

// open opens the folder; it must not be a symlink to one.
func (f Folder) open() (*place, error) {
	named, err := os.Lstat(f.Dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(named, opened) {
		err = errors.New("it is a symlink; remove it, and the folder is made again")
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &place{root: root, most: f.Limits.Of(limit.NoteFile)}, nil
}

func (p *place) close() { _ = p.root.Close() } // nothing is written through it

// errOdd is the cause when what lies somewhere cannot be a document.
var errOdd = errors.New("cannot be taken")

// file is what lies at a document's place.
type file struct {
	text, hash string // empty where there is nothing
	problem    string // what is there and cannot be a document
}

// file looks at a document's place. Up to size bytes are taken even beyond the
// limit, because one of that size is known.
func (p *place) file(name string, size int) (file, error) {
	data, err := p.read(name, max(p.most, int64(size)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return file{}, nil
	case errors.Is(err, errOdd):
		return file{problem: err.Error()}, nil
	case err != nil:
		return file{}, err
	case !utf8.Valid(data) || strings.ContainsRune(string(data), 0):
		return file{problem: "is not a text in UTF-8"}, nil
	}
	text := string(data)
	return file{text: text, hash: hashOf(text)}, nil
}

// read returns a file of up to most bytes.
func (p *place) read(name string, most int64) ([]byte, error) {
	f, info, err := p.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > most {
		return nil, tooLarge(most)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if int64(len(data)) > most {
		return nil, tooLarge(most)
	}
	return data, err
}

// open opens an ordinary file. What is none is an errOdd, and is neither followed
// nor waited for.
func (p *place) open(name string) (*os.File, fs.FileInfo, error) {
	if dir := p.blocked(name); dir != "" {
		return nil, nil, odd("lies behind " + dir + ", which is not a folder")
	}
	info, err := p.root.Lstat(name)
	switch {
	case err != nil:
		return nil, nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, nil, odd("is a symlink")
	case !info.Mode().IsRegular():
		return nil, nil, odd("is not an ordinary file")
	}
	f, err := p.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrPermission) {
		return nil, nil, odd("cannot be read")
	}
	if err != nil {
		return nil, nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, nil, errors.Join(odd("was changed while it was looked at"), f.Close())
	}
	return f, info, nil
}

type odd string

// Error says what is odd.
func (o odd) Error() string { return string(o) }

// Is makes it an errOdd.
func (o odd) Is(target error) bool { return target == errOdd }

func tooLarge(most int64) error {
	return odd(fmt.Sprintf("is larger than %d bytes, the limit %s", most, limit.NoteFile.Name))
}

// blocked returns what stands on the way to name and is no folder, empty when
// the way is free.
func (p *place) blocked(name string) string {
	for i, r := range name {
		if r != '/' {
			continue
		}
		if info, err := p.root.Lstat(name[:i]); err == nil && !info.IsDir() {
			return name[:i]
		}
	}
	return ""
}

// clear puts aside what is in the way of a file of that name: what is no folder
// on the way to it, and what is no file in its place. With all it makes no
// difference what is in its place.
func (p *place) clear(name string, all bool) error {
	for dir := p.blocked(name); dir != ""; dir = p.blocked(name) {
		if err := p.aside(dir); err != nil {
			return err
		}
	}
	info, err := p.root.Lstat(name)
	if err != nil {
		return ignore(err, fs.ErrNotExist)
	}
	if all || !info.Mode().IsRegular() {
		return p.aside(name)
	}
	return nil
}

// writing is where a file is written before it gets its name.
const writing = ".writing"

// put writes a file whole or not at all.
func (p *place) put(name, text string) error {
	if err := p.clear(name, false); err != nil {
		return err
	}
	if err := p.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	if err := p.root.RemoveAll(writing); err != nil {
		return err
	}
	f, err := p.root.OpenFile(writing, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Sync() // a file that is empty after a power cut would look like an edit
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return p.root.Rename(writing, name)
}

// asideSuffix ends the names of what was moved out of a document's way.
const asideSuffix = ".aside"

// aside renames what cannot be taken, so that nothing of a user's is lost.
func (p *place) aside(name string) error {
	to := name + asideSuffix
	for n := 2; ; n++ {
		_, err := p.root.Lstat(to)
		if errors.Is(err, fs.ErrNotExist) {
			return p.root.Rename(name, to)
		}
		if err != nil {
			return err
		}
		to = fmt.Sprintf("%s.%d%s", name, n, asideSuffix)
	}
}

// remove removes a file, and the folders that it leaves empty.
func (p *place) remove(name string) error {
	if err := p.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if p.root.Remove(dir) != nil {
			break // something else is in it
		}
	}
	return nil
}
