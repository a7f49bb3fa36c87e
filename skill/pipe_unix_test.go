//go:build unix

package skill_test

import (
	"os"
	"syscall"
	"testing"
)

func TestAPipeIsNotWaitedFor(t *testing.T) {
	dir := folder(t)
	if err := os.Mkdir(dir+"/a", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(dir+"/a/SKILL.md", 0o600); err != nil {
		t.Skip("no pipes here:", err)
	}
	expectProblem(t, here(t, dir).Problems, "it is a named pipe")
}
