//go:build unix

package tool

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFolderOfSomebodyElseIsNotOurs(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	if !ours(dir) {
		t.Fatal("a new folder is not ours")
	}
	if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if ours(dir) {
		t.Error("a folder that somebody else prepared is used")
	}
}
