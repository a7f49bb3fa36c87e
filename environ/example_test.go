package environ_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/environ"
)

func ExampleLook() {
	project, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(project)
	if err := os.WriteFile(filepath.Join(project, "AGENTS.md"), []byte("Run make check before you are done.\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	in, err := environ.Look(context.Background(), environ.Options{Cwd: project, Now: time.Now()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range in.Entries {
		fmt.Println(e.Item.(longrein.Fragment).Tag)
	}
	fmt.Println(in.Entries[0].Item.(longrein.Fragment).Rendered())
	// Output:
	// project_instructions
	// environment
	// <project_instructions>
	// --- AGENTS.md ---
	// Run make check before you are done.
	// </project_instructions>
}
