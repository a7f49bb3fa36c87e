//go:build unix

package notes

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPipeIsNotWaitedFor(t *testing.T) {
	f := folder(t)
	publish(t, f, doc("MAIN.md", "main"))
	for _, name := range []string{"p.md", "TODO.md", "LEDGER.md"} {
		if err := syscall.Mkfifo(filepath.Join(f.Dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := Found{Problems: []string{
		"LEDGER.md is a name of the harness's own, so it was not taken",
		"p.md is not an ordinary file, so it was not taken",
		"TODO.md is not an ordinary file, so it was not taken",
	}}
	if diff := cmp.Diff(want, look(t, f, doc("MAIN.md", "main"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	publish(t, f, doc("p.md", "text"), doc("LEDGER.md", "facts"))
	if got := onDisk(t, f); got["p.md"] != "text" || got["LEDGER.md"] != "facts" {
		t.Errorf("files %v", got)
	}
}
