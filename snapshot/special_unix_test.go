//go:build !windows

package snapshot

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestSpecialFilesAreNeverTouched(t *testing.T) {
	s := opened(t, map[string]string{"a": "1", "b": "1"}, nil)
	was := take(t, s)
	put(t, s.root, map[string]string{"a": "x", "b": "2"})
	if err := syscall.Mkfifo(filepath.Join(s.root, "a"), 0o600); err != nil {
		t.Fatal(err)
	}
	is := take(t, s)
	same(t, "left out", is.LeftOut, []LeftOut{{Path: "a", Why: Special}})
	p := planned(t, s, Span{was.Tree, is.Tree})
	same(t, "conflicts", p.Conflicts, []Conflict{{Path: "a", What: "something is there that is in no snapshot"}})
}
