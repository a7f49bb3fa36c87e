package shell

import (
	"syscall"
	"unsafe"
)

// awaitExit waits until pid has ended, and leaves it to be reaped.
func awaitExit(pid int) {
	const byPid = 1
	var info [16]uint64 // larger than a siginfo_t
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(pid),
			uintptr(unsafe.Pointer(&info)), syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != syscall.EINTR {
			return
		}
	}
}

// descendants are not looked for on this system.
func descendants(int) []process { return nil }

type process struct{ pid int }

func (p process) signal(s syscall.Signal) { _ = syscall.Kill(p.pid, s) }

func (p process) release() {}
