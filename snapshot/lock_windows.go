package snapshot

import (
	"errors"
	"os"
	"os/exec"

	"golang.org/x/sys/windows"
)

// tryLock takes the lock of an open file if it is free. The system gives it back
// when the process ends, however it ends.
func tryLock(f *os.File) (bool, error) {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, os.NewSyscallError("LockFileEx", err)
}

// hand does nothing: a file cannot be given to a program here.
func hand(*exec.Cmd, *os.File) {}

// notFolder reports whether a path goes on behind something that is no folder.
func notFolder(err error) bool { return errors.Is(err, windows.ERROR_PATH_NOT_FOUND) }
