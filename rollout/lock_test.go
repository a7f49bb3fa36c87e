package rollout

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hold is what the test binary does as another process: it opens a log, says so
// and keeps it until its input ends.
func hold(root, id string) {
	s := &Store{Root: root}
	l, _, err := s.Open(id)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("open")
	bufio.NewReader(os.Stdin).ReadByte()
	l.Close()
}

// holder starts a process that holds the log. The function ends it as it is told
// to, politely or not.
func holding(t *testing.T, s *Store, id string) (pid int, end func(kill bool)) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ROLLOUT_TEST_HOLD="+id, "ROLLOUT_TEST_ROOT="+s.Root)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if said, _ := bufio.NewReader(out).ReadString('\n'); said != "open\n" {
		t.Fatalf("the other process says %q", said)
	}
	return cmd.Process.Pid, func(kill bool) {
		if kill {
			cmd.Process.Kill()
		}
		in.Close()
		cmd.Wait()
	}
}

// Case 90 of the contract of background memory.
func TestTwoProcessesCannotWriteOneLog(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for _, kill := range []bool{false, true} {
		pid, end := holding(t, s, id)
		_, _, err := s.Open(id)
		var locked *ErrLocked
		if !errors.As(err, &locked) || locked.PID != pid {
			t.Errorf("Open gave %v, want ErrLocked by process %d", err, pid)
		}
		for _, part := range []string{fmt.Sprint(pid), filepath.Base(os.Args[0]), "stop it there", id} {
			if !strings.Contains(fmt.Sprint(err), part) {
				t.Errorf("the error %v does not say %q", err, part)
			}
		}
		if _, err := s.Tail(id); err != nil {
			t.Errorf("reading needs the lock: %v", err)
		}
		end(kill)
		l, _ := reopen(t, s, id)
		put(t, l, said("mine"))
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOneProcessCannotOpenALogTwice(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	_, _, err := s.Open(id)
	var locked *ErrLocked
	if !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Errorf("Open gave %v, want ErrLocked by this process", err)
	}
	if _, err := s.Create(id); err == nil {
		t.Error("Create took an id that there is")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Errorf("a second Close gave %v", err)
	}
	if _, err := s.Create(id); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create gave %v, want that it exists", err)
	}
	if _, err := l.Append(noon, true, said("late")); !errors.Is(err, ErrClosed) {
		t.Errorf("Append after Close gave %v", err)
	}
	reopen(t, s, id)
}

func TestALogThatVanishesIsNotWrittenToInTheDark(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	if err := os.Remove(l.Path()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(noon, true, said("lost")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), l.Path()) {
		t.Errorf("Append gave %v, want that the file is gone", err)
	}
	if _, err := s.Tail(id); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Tail gave %v, want that there is none", err)
	}
	if _, err := s.Find(id); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Find gave %v, want that there is none", err)
	}
}

func TestACommandIsNamedWithoutItsArguments(t *testing.T) {
	defer func(old []string) { os.Args = old }(os.Args)
	cases := map[string]struct {
		args []string
		want string
	}{
		"a command":       {[]string{"/bin/longrein", "exec", "my secret"}, "longrein exec"},
		"none":            {[]string{"longrein"}, "longrein"},
		"a flag":          {[]string{"longrein", "--token=abc"}, "longrein"},
		"a task in words": {[]string{"longrein", "use the key abc"}, "longrein"},
	}
	for name, c := range cases {
		os.Args = c.args
		if got := command(); got != c.want {
			t.Errorf("%s: got = %q, want %q", name, got, c.want)
		}
	}
}
