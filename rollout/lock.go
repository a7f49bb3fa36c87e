package rollout

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/longrein/longrein/limit"
)

// takeLock takes the lock at path, which keeps a log for one writer, over all
// processes. It lies beside the log, says who holds it, and is gone with its
// holder. When somebody else has it takeLock tries again for a while.
func (s *Store) takeLock(path, thread string) (io.Closer, error) {
	for try := s.Limits.Int(limit.LockTries); ; try-- {
		l, err := s.tryLock(path)
		if l != nil || err != nil {
			return l, err
		}
		if try <= 1 {
			return nil, s.holder(path, thread)
		}
		time.Sleep(s.Limits.Duration(limit.LockPause))
	}
}

// tryLock returns nothing when somebody else has the lock.
func (s *Store) tryLock(path string) (io.Closer, error) {
	return s.disk().Lock(path, fmt.Sprintf("%d %s", os.Getpid(), command()))
}

// word is what a command may look like. Other arguments can hold anything, a
// secret too, and are left out.
var word = regexp.MustCompile(`^[a-z]{1,20}$`)

// command is how this process was called, as far as it may be told.
func command() string {
	name := filepath.Base(os.Args[0])
	if len(os.Args) > 1 && word.MatchString(os.Args[1]) {
		name += " " + os.Args[1]
	}
	return name
}

// holder reads who has the lock.
func (s *Store) holder(path, thread string) error {
	locked := &ErrLocked{Thread: thread}
	f, err := s.disk().Open(path, os.O_RDONLY)
	if err != nil {
		return locked
	}
	defer f.Close()
	text, _, _ := bufio.NewReader(io.NewSectionReader(f, 0, 256)).ReadLine() // fixed: a number and a name; only for the message
	pid, command, _ := strings.Cut(string(text), " ")
	if n, err := strconv.Atoi(pid); err == nil {
		locked.PID, locked.Command = n, command
	}
	return locked
}

// Busy reports whether somebody writes to a thread's log now.
func (s *Store) Busy(id string) bool {
	path, err := s.find(id)
	if err != nil {
		return false
	}
	if _, err := s.disk().Stat(lockPath(path)); err != nil {
		return false // asking must not make one
	}
	l, err := s.tryLock(lockPath(path))
	if l == nil {
		return err == nil
	}
	return l.Close() != nil
}
