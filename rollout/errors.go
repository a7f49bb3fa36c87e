package rollout

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// ErrNewer says that a log was begun by a later version of the program. It can
// be read as far as it is understood, and is not written to.
var ErrNewer = errors.New("the log was written by a newer version of longrein; update this one to go on with the thread")

// ErrClosed says that a log was used after Close.
var ErrClosed = errors.New("the log is closed")

// ErrDamaged is a line that cannot be read. Reading goes on with the next good
// one.
type ErrDamaged struct {
	Path   string
	Line   int64 // from 1
	Offset int64 // of the line's first byte
	Torn   bool  // it is the last line and its end is missing
	Seq    int64 // of its record, when the line is whole and what it refers to is not; else 0
	Err    error // what is wrong
}

// Error names the file, the line and what is wrong with it.
func (e *ErrDamaged) Error() string {
	return fmt.Sprintf("%s, line %d (from byte %d) cannot be read: %v", e.Path, e.Line, e.Offset, e.Err)
}

// Unwrap returns what is wrong.
func (e *ErrDamaged) Unwrap() error { return e.Err }

// ErrParent says that the records before a fork's own cannot be read: the log of
// its parent is missing, or no longer what it was.
type ErrParent struct {
	Thread, Parent string
	Seq            int64 // the last record that they share
	Err            error // what is wrong
}

// Error names both threads, the point and what is wrong.
func (e *ErrParent) Error() string {
	return fmt.Sprintf("thread %s goes on from record %d of thread %s, which cannot be read there: %v", e.Thread, e.Seq, e.Parent, e.Err)
}

// Unwrap returns what is wrong.
func (e *ErrParent) Unwrap() error { return e.Err }

// ErrLocked says that somebody else writes to the log. PID is 0 and Command
// empty when the holder has not said yet who it is.
type ErrLocked struct {
	Thread  string
	PID     int
	Command string
}

// Error names the holder and says what to do.
func (e *ErrLocked) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d (%s)", e.PID, e.Command)
	}
	return fmt.Sprintf("thread %s is open in %s; stop it there and try again", e.Thread, who)
}

// ErrAmbiguous says that several threads' ids begin with Ref.
type ErrAmbiguous struct {
	Ref  string
	IDs  []string // newest first, at most as many as the limit candidates allows
	More bool     // there are others
}

// Error lists the threads.
func (e *ErrAmbiguous) Error() string {
	more := ""
	if e.More {
		more = " and others"
	}
	return fmt.Sprintf("%q begins the ids of several threads: %s%s; give more of the id", e.Ref, strings.Join(e.IDs, ", "), more)
}

// explain adds to err what a person can do about it.
func explain(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w; free some space and try again", err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; longrein must be able to write there, or choose another folder with --home", err)
	}
	return err
}
