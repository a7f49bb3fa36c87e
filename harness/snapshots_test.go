package harness

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/turn"
)

func TestAFolderWithTooMuchInItIsLookedAtOnce(t *testing.T) {
	cwd := t.TempDir()
	put := func(name string) string {
		path := filepath.Join(cwd, name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	put("a")
	second := put("b")
	h := New(Options{Cwd: cwd, Settings: &config.Settings{
		Snapshots: true, Limits: limit.Set{limit.SnapshotFiles.Name: 1}, Paths: config.Paths{Data: t.TempDir()},
	}})
	c := h.camera("t")
	first := c.snap(context.Background(), turn.Snap{When: longrein.SnapshotBefore, Turn: 1})
	if first.Snapshot.Tree != "" || first.Snapshot.Why == "" || len(first.Warnings) != 1 {
		t.Fatalf("got %+v, want a refusal that is told", first)
	}
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	again := c.snap(context.Background(), turn.Snap{When: longrein.SnapshotBefore, Turn: 2})
	if again.Snapshot.Why != first.Snapshot.Why || len(again.Warnings) > 0 {
		t.Errorf("got %+v, want the same refusal, told once", again)
	}
	if next := h.camera("t").snap(context.Background(), turn.Snap{When: longrein.SnapshotBefore}); next.Snapshot.Tree == "" {
		t.Errorf("the next process is refused too: %s", next.Snapshot.Why)
	}
}
