package rollout

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// system is the operating system's disk.
type system struct{}

func (system) Open(path string, flag int) (DiskFile, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is no regular file")} // a pipe would block for ever
	}
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &systemFile{f, info}, nil
}

func (system) Stat(path string) (fs.FileInfo, error)      { return os.Stat(path) }
func (system) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
func (system) Mkdir(path string) error                    { return os.Mkdir(path, 0o700) }
func (system) Rename(from, to string) error               { return os.Rename(from, to) }
func (system) Remove(path string) error                   { return os.Remove(path) }
func (system) SyncDir(path string) error                  { return syncDir(path) }

func (system) Lock(path, holder string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	free, err := tryLock(f)
	if err != nil || !free || !stillAt(f, path) {
		return nil, errors.Join(err, f.Close())
	}
	if err := sign(f, holder); err != nil {
		return nil, errors.Join(err, unlock(f))
	}
	return held{f}, nil
}

// stillAt reports whether path leads to f; the last holder may just have removed
// it.
func stillAt(f *os.File, path string) bool {
	info, err := f.Stat()
	return err == nil && leadsTo(path, info)
}

// sign writes into the lock who holds it.
func sign(f *os.File, holder string) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := fmt.Fprintln(f, holder)
	return err
}

// held is a lock of the system.
type held struct{ f *os.File }

func (h held) Close() error { return unlock(h.f) }

// systemFile is a file whose Sync leaves out what is not needed to read it back.
type systemFile struct {
	*os.File
	info fs.FileInfo // when it was opened
}

func (f *systemFile) Sync() error { return syncData(f.File) }

func (f *systemFile) At(path string) bool { return leadsTo(path, f.info) }

func (f *systemFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func leadsTo(path string, file fs.FileInfo) bool {
	now, err := os.Stat(path)
	return err == nil && os.SameFile(file, now)
}
