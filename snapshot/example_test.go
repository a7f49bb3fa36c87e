package snapshot_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/longrein/longrein/snapshot"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := example(dir); err != nil {
		fmt.Println(err)
	}
	// Output:
	// an undo: modified notes.txt
	// my plan
}

func example(dir string) error {
	ctx := context.Background()
	project := filepath.Join(dir, "project")
	file := filepath.Join(project, "notes.txt")
	if err := os.Mkdir(project, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte("my plan\n"), 0o600); err != nil {
		return err
	}
	store, err := snapshot.Open(filepath.Join(dir, "snapshots"), project, snapshot.Options{})
	if err != nil {
		return err // wraps snapshot.ErrNoGit where git is not installed
	}
	before, err := store.Take(ctx, "thread-1")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil { // what a turn does
		return err
	}
	after, err := store.Take(ctx, "thread-1")
	if err != nil {
		return err
	}

	plan, err := store.Plan(ctx, snapshot.Span{Before: before.Tree, After: after.Tree})
	if err != nil {
		return err
	}
	for _, c := range plan.Changes {
		fmt.Println("an undo:", c.Op, c.Path)
	}
	if _, err := store.Restore(ctx, plan, false); err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	fmt.Print(string(text))
	return err
}
