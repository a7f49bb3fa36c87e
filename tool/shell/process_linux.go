package shell

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// awaitExit waits until pid has ended, and leaves it to be reaped.
func awaitExit(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// process is one that must not be mistaken for a later one with the same number.
type process struct{ pid, fd int }

func (p process) signal(s syscall.Signal) { _ = unix.PidfdSendSignal(p.fd, s, nil, 0) }

func (p process) release() { _ = unix.Close(p.fd) }

// descendants returns the processes that pid started, directly or not, and that
// still have a parent among them. Each must be released.
func descendants(pid int) []process {
	var out []process
	for _, child := range children(pid) {
		if fd, err := unix.PidfdOpen(child, 0); err == nil {
			out = append(append(out, process{child, fd}), descendants(child)...)
		}
	}
	return out
}

func children(pid int) []int {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil
	}
	var out []int
	for _, task := range tasks {
		list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		for _, field := range strings.Fields(string(list)) {
			if child, err := strconv.Atoi(field); err == nil {
				out = append(out, child)
			}
		}
	}
	return out
}
