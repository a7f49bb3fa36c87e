package rollout

import (
	"bufio"
	"errors"
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

// lock keeps a log for one writer, over all processes. It lies beside the log,
// says who holds it, and is gone with its holder.
type lock struct{ f *os.File }

// takeLock takes the lock at path, and tries again for a while when somebody
// else has it.
func takeLock(path, thread string, limits limit.Set) (*lock, error) {
	for try := limits.Int(limit.LockTries); ; try-- {
		l, err := tryTake(path)
		if l != nil || err != nil {
			return l, err
		}
		if try <= 1 {
			return nil, holder(path, thread)
		}
		time.Sleep(limits.Duration(limit.LockPause))
	}
}

// tryTake returns nothing when somebody else has the lock.
func tryTake(path string) (*lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	free, err := tryLock(f)
	if err != nil || !free || !stillAt(f, path) {
		return nil, errors.Join(err, f.Close())
	}
	if err := sign(f); err != nil {
		return nil, errors.Join(err, unlock(f))
	}
	return &lock{f}, nil
}

// stillAt reports whether path leads to f; the last holder may just have removed
// it.
func stillAt(f *os.File, path string) bool {
	have, err1 := f.Stat()
	now, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(have, now)
}

func (l *lock) release() error { return unlock(l.f) }

// sign writes into the lock who holds it.
func sign(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt(fmt.Appendf(nil, "%d %s\n", os.Getpid(), command()), 0)
	return err
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
func holder(path, thread string) error {
	locked := &ErrLocked{Thread: thread}
	f, err := os.Open(path)
	if err != nil {
		return locked
	}
	defer f.Close()
	text, _, _ := bufio.NewReader(io.LimitReader(f, 256)).ReadLine()
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
	if _, err := os.Stat(lockPath(path)); err != nil {
		return false // asking must not make one
	}
	l, err := tryTake(lockPath(path))
	if l == nil {
		return err == nil
	}
	return l.release() != nil
}
