package rollout

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockAt is where the locked byte lies: behind anything that is read.
const lockAt = 1 << 30

// tryLock takes the lock of an open file if it is free. The system gives it back
// when the process ends, however it ends.
func tryLock(f *os.File) (bool, error) {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{Offset: lockAt})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, os.NewSyscallError("LockFileEx", err)
}

// unlock gives the lock back. Its file stays, because an open file cannot be
// removed here.
func unlock(f *os.File) error { return f.Close() }

// syncDir does nothing: the file system journals a folder's entries.
func syncDir(string) error { return nil }
