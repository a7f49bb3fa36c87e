package file

import (
	"os/exec"
	"path/filepath"
	"strings"
)

// program returns where a program of this name is, "" for nowhere. One that lies
// in a distrusted folder does not count: these programs run outside of the
// sandbox, and a command inside of it may have put it there.
func program(name string, distrusted []string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	for _, dir := range distrusted {
		for _, p := range []string{path, real} {
			if rel, err := filepath.Rel(dir, p); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
				return ""
			}
		}
	}
	return path
}
