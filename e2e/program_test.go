//go:build unix

package e2e_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var (
	program = flag.String("longrein", "", "the program to test; empty builds it")
	seed    = flag.Uint64("seed", 0, "seed of the moments at which processes are killed; 0 takes a new one")
	kills   = flag.Int("kills", 6, "processes that are killed on each wire")
	slow    = flag.Bool("slow", false, "also test what takes half a minute")
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	_ = os.RemoveAll(scratch) // a temporary folder; the system clears it otherwise
	os.Exit(code)
}

// binary returns the program's file.
func binary(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the program, which is built without the race detector")
	}
	if *program != "" {
		return *program
	}
	file, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// scratch is the folder of a program that was built, "" for none.
var scratch string

var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "longrein-e2e-")
	if err != nil {
		return "", err
	}
	scratch = dir
	file := filepath.Join(dir, "longrein")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", file, "github.com/longrein/longrein/cmd/longrein")
	if out, err := build.CombinedOutput(); err != nil {
		return file, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return file, nil
})
