package rollout

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncData is fdatasync: it leaves out the time of the last change.
func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if !errors.Is(err, unix.EINTR) {
			return os.NewSyscallError("fdatasync "+f.Name(), err)
		}
	}
}
