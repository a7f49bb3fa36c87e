package file

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAProgramThatACommandCouldHavePutThereIsNotRun(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	planted := filepath.Join(dir, "bin", "rg")
	if err := os.Mkdir(filepath.Dir(planted), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(planted, []byte("#!/bin/sh\ntouch "+dir+"/ran\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(planted)+":"+os.Getenv("PATH"))
	if got := program("rg", nil); got != planted {
		t.Fatalf("found %q, want the planted one", got)
	}
	if _, err := Search(t.Context(), SearchQuery{Dir: dir, Pattern: "x", Most: 5, Line: 100, Files: 100, Distrusted: []string{dir}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("the planted program ran")
	}
}
