package rollout

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// makeDirs makes the folder dir and those above it. It returns the folders that
// got a new entry, which is lost in a crash until they are synced.
func makeDirs(dir string) (changed []string, err error) {
	err = os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		if changed, err = makeDirs(filepath.Dir(dir)); err != nil {
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
