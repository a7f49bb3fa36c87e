package rollout

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// file is what logs and blobs need of an operating system's file. Tests put
// faults here.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Stat() (fs.FileInfo, error)
	// Sync returns when the content, and the size, are on the disk.
	Sync() error
}

// disk opens files and makes folders' entries durable.
type disk interface {
	open(path string, flag int) (file, error)
	syncDir(path string) error
}

// system is the operating system's disk.
type system struct{}

func (system) open(path string, flag int) (file, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is no regular file")} // a pipe would block for ever
	}
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (system) syncDir(path string) error { return syncDir(path) }

// osFile is a file whose Sync leaves out what is not needed to read it back.
type osFile struct{ *os.File }

func (f osFile) Sync() error { return syncData(f.File) }

// makeDirs makes the folder dir, below root, and those above it. It returns the
// folders whose entries are lost in a crash until they are synced: those that got
// one, and all from dir up to root, because what is there may have been made by
// another process that has not synced it yet.
func makeDirs(dir, root string) ([]string, error) {
	changed, err := makeDir(dir)
	if err != nil {
		return nil, err
	}
	for root = filepath.Clean(root); dir != root; dir = filepath.Dir(dir) {
		changed = append(changed, dir)
	}
	changed = append(changed, root)
	slices.Sort(changed)
	return slices.Compact(changed), nil
}

// makeDir returns the folders that got an entry.
func makeDir(dir string) (changed []string, err error) {
	err = os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		if changed, err = makeDir(filepath.Dir(dir)); err != nil {
			return nil, err
		}
		err = os.Mkdir(dir, 0o700)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return changed, nil
	case err != nil:
		return nil, err
	}
	return append(changed, filepath.Dir(dir)), nil
}

// syncDirs makes the entries of all dirs durable.
func syncDirs(d disk, dirs []string) error {
	for _, dir := range dirs {
		if err := d.syncDir(dir); err != nil {
			return err
		}
	}
	return nil
}
