//go:build !linux && !darwin

package shell

import (
	"os"
	"os/exec"
)

func separate(*exec.Cmd) {}

func awaitExit(pid int) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	_, _ = p.Wait()
}

type process struct{}

func descendants(int) []process { return nil }

// ask has no polite way here.
func ask(pid int, kin []process, _ bool) { kill(pid, kin) }

func kill(pid int, _ []process) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

func signalOf(*os.ProcessState) int { return 0 }

func shellProgram() []string {
	if path, err := exec.LookPath("bash"); err == nil {
		return []string{path, "-c"}
	}
	return []string{"cmd.exe", "/C"}
}
