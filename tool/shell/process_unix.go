//go:build linux || darwin

package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
)

// separate gives the command a session of its own: one process group to end, and
// no terminal to ask for passwords on.
func separate(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid = true
}

// ask sends SIGTERM to the group of pid and to those of its kin that left it.
// When pid is a wrapper it is spared, because its end would kill the rest at once.
func ask(pid int, kin []process, wrapped bool) {
	if !wrapped {
		_ = syscall.Kill(-pid, syscall.SIGTERM)
	}
	for _, p := range kin {
		if group, err := syscall.Getpgid(p.pid); err == nil && (wrapped || group != pid) {
			p.signal(syscall.SIGTERM)
		}
	}
}

// kill ends the group of pid and all kin, and releases them.
func kill(pid int, kin []process) {
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	for _, p := range kin {
		p.signal(syscall.SIGKILL)
		p.release()
	}
}

func signalOf(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return int(status.Signal())
	}
	return 0
}

var shellProgram = sync.OnceValue(func() []string {
	user := os.Getenv("SHELL")
	if slices.Contains([]string{"bash", "zsh", "sh", "dash", "ksh"}, filepath.Base(user)) {
		if path, err := exec.LookPath(user); err == nil {
			return []string{path, "-c"}
		}
	}
	if path, err := exec.LookPath("bash"); err == nil {
		return []string{path, "-c"}
	}
	return []string{"/bin/sh", "-c"}
})
