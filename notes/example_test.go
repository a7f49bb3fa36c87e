package notes_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/notes"
)

func ExampleFolder() {
	home, err := os.MkdirTemp("", "notes")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(home)
	f := notes.Folder{Dir: filepath.Join(home, "notes", "thread")}

	version := longrein.Notes{Version: 1, Changed: []longrein.Document{{Name: "MAIN.md", Text: "The parser is done.\n"}}}
	if err := f.Publish(version); err != nil {
		fmt.Println(err)
	}
	_ = os.WriteFile(filepath.Join(f.Dir, "MAIN.md"), []byte("The parser is done. Never touch the lexer.\n"), 0o600)

	found, err := f.Look(version.Changed)
	fmt.Println(err, found.Edits[0].Name, "now says:", found.Edits[0].Text)
	// Output:
	// <nil> MAIN.md now says: The parser is done. Never touch the lexer.
}
