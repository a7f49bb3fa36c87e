package file_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein/tool/file"
)

// The environment of this process holds keys that are kept from commands.
func TestProcessesAreNotShown(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("/proc/self/environ", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/proc/self/environ", "/proc/self/root/proc/thread-self/environ", "/proc/self/status", link} {
		if _, err := file.Read(path, 0, 0, 100, 1000); err == nil || !strings.Contains(err.Error(), "exec_command") {
			t.Errorf("read %s: %v", path, err)
		}
		if _, err := file.Search(t.Context(), file.SearchQuery{Dir: "/", Path: path, Pattern: "PATH=", Most: 1, Line: 10, Files: 1}); err == nil {
			t.Errorf("%s was searched", path)
		}
	}
}
