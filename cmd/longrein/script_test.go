package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/longrein/longrein/tool/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	testscript.Main(m, map[string]func(){"longrein": main})
}

// TestScripts runs the commands as users do: see testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("LONGREIN_HOME", e.WorkDir+"/home")
			e.Setenv("LONGREIN_SANDBOX", "full")
			e.Setenv("GOROOT", "")
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Getuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"repeat": repeat,
			"code":   code,
		},
	})
}

// repeat writes a file of so many bytes: repeat FILE BYTES TEXT.
func repeat(ts *testscript.TestScript, _ bool, args []string) {
	n := 0
	for _, d := range args[1] {
		n = 10*n + int(d-'0')
	}
	text := strings.Repeat(args[2], n/len(args[2])+1)[:n]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// code runs a command and compares its exit code: code 3 longrein exec …
func code(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}
