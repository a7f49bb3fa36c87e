package shell_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/longrein/longrein/tool/shell"
)

// A command ends on time, whatever it does.
func ExampleCommand() {
	argv := shell.Program("echo begun; sleep 60")
	c := shell.Command{Cmd: exec.Command(argv[0], argv[1:]...), Timeout: 300 * time.Millisecond, Grace: time.Second}
	c.Cmd.Env = shell.Env(os.Environ(), shell.EnvRules{})
	res, err := c.Run(context.Background(), os.Stdout)
	fmt.Println(res.Ending == shell.TimedOut, err)
	// Output:
	// begun
	// true <nil>
}

func ExampleReadOnly() {
	fmt.Println(shell.ReadOnly("git log --oneline | head -5"), shell.ReadOnly("git log > file"))
	// Output: true false
}
