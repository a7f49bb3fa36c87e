//go:build unix

package compare

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/longrein/longrein/rollout"
)

func TestAPipeIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := File(&rollout.Store{}, path); err == nil || !strings.Contains(err.Error(), "is a pipe") {
		t.Errorf("a pipe: %v", err)
	}
}
