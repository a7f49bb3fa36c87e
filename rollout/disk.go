package rollout

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
)

// Disk is everything that a store asks of a file system. Paths are as
// [path/filepath] makes them; errors are as package os gives them. The zero
// [Store] has the system's; package crashtest has one that breaks.
type Disk interface {
	// Open opens a regular file as [os.OpenFile] does; what it creates only the
	// user may read.
	Open(path string, flag int) (DiskFile, error)
	Stat(path string) (fs.FileInfo, error)
	// ReadDir returns a folder's entries, sorted by name.
	ReadDir(path string) ([]fs.DirEntry, error)
	// Mkdir makes a folder that only the user may enter.
	Mkdir(path string) error
	Rename(from, to string) error
	Remove(path string) error
	// SyncDir returns when a folder's entries are on the disk.
	SyncDir(path string) error
	// Lock takes the lock that the file at path is, over all processes, and
	// writes into it who holds it. It is given back by Close, and by the system
	// when the process ends. While somebody else has it Lock returns nothing.
	Lock(path, holder string) (io.Closer, error)
}

// DiskFile is an open file of a [Disk].
type DiskFile interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Size() (int64, error)
	// Sync returns when the content, and the size, are on the disk.
	Sync() error
	// At reports whether path still leads to this file.
	At(path string) bool
}

// readable is a reader of all of f.
func readable(f DiskFile) (io.Reader, error) {
	size, err := f.Size()
	return io.NewSectionReader(f, 0, size), err
}

// makeDirs makes the folder dir, below root, and those above it. It returns the
// folders whose entries are lost in a crash until they are synced: those that got
// one, and all from dir up to root, because what is there may have been made by
// another process that has not synced it yet.
func makeDirs(d Disk, dir, root string) ([]string, error) {
	changed, err := makeDir(d, dir)
	if err != nil {
		return nil, err
	}
	changed = append(changed, dirsTo(dir, root)...)
	slices.Sort(changed)
	return slices.Compact(changed), nil
}

// dirsTo returns the folders from dir up to root.
func dirsTo(dir, root string) (dirs []string) {
	for root = filepath.Clean(root); dir != root; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return append(dirs, root)
}

// makeDir returns the folders that got an entry. A folder is durable itself before
// anything is made in it: it may be the work of a process that died before it came
// to that. Folders far above that may not be read are not ours.
func makeDir(d Disk, dir string) (changed []string, err error) {
	if _, err := d.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	up := filepath.Dir(dir)
	if up != dir {
		changed, err = makeDir(d, up)
	}
	if err != nil {
		return nil, err
	}
	if err := d.SyncDir(filepath.Dir(up)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	if err := d.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return append(changed, up), nil
}

// syncDirs makes the entries of all dirs durable.
func syncDirs(d Disk, dirs []string) error {
	for _, dir := range dirs {
		if err := d.SyncDir(dir); err != nil {
			return err
		}
	}
	return nil
}
