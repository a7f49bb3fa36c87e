//go:build !windows

package rollout

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock of an open file if it is free. The system gives it back
// when the process ends, however it ends.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return err == nil, os.NewSyscallError("flock", err)
}

// unlock removes the lock's file while the lock is still held, so that nobody
// can have taken it in between.
func unlock(f *os.File) error {
	return errors.Join(os.Remove(f.Name()), f.Close())
}

// syncDir makes a folder's entries durable.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
