//go:build !windows

package snapshot

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock of an open file if it is free. The system gives it back
// when the last process that has the file open ends, however it ends.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return err == nil, os.NewSyscallError("flock", err)
}

// hand gives a program an open file, and with it the lock on it.
func hand(cmd *exec.Cmd, f *os.File) { cmd.ExtraFiles = []*os.File{f} }

// notFolder reports whether a path goes on behind something that is no folder.
func notFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
