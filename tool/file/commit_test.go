package file

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/longrein/longrein/patch"
)

// What changes between the check and the renaming makes a patch fail half-way.
func TestAPatchThatFailsHalfWayIsUndone(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	write("a", "1\n")
	write("b", "2\n")
	p, err := patch.Parse("*** Begin Patch\n*** Update File: a\n-1\n+one\n*** Delete File: b\n*** Add File: new/x\n+1\n*** Add File: last\n+1\n*** End Patch")
	if err != nil {
		t.Fatal(err)
	}
	w := &work{place: Place{Dir: dir, Roots: []string{dir}, Most: 1 << 20}, roots: map[string]*os.Root{}}
	defer w.close()
	for _, c := range p.Changes {
		if _, err := w.change(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "last/in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := w.commit(); err == nil {
		t.Fatal("it was done")
	}
	for name, want := range map[string]string{"a": "1\n", "b": "2\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != want || err != nil {
			t.Errorf("%s = %q, %v, want %q", name, got, err, want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("entries = %v, %v, want a, b and last", entries, err)
	}
}
