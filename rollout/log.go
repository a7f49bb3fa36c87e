package rollout

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Log is a thread's log, open for writing. It may be used from anywhere at once.
type Log struct {
	id, path string
	file     DiskFile
	lock     io.Closer
	disk     Disk
	maxLine  int

	mu     sync.Mutex // guards what follows
	seq    int64      // of the last record
	size   int64      // up to the end of the last record
	sum    sum        // of its line
	packer packer
	ragged bool // behind size stands half a line
	wrote  bool // since it was opened
	gauge  *gauge
	err    error // why nothing can be appended any more

	syncing  sync.Mutex // held by the one that syncs for all; guards what follows
	synced   int64      // this much of the file is durable
	unsynced []string   // folders with entries that are not
}

// newLog returns the log that f is for, as if it were empty.
func (s *Store) newLog(id, path string, f DiskFile, lock io.Closer) *Log {
	known := newRepeats(s.Limits.Int(limit.Repeats))
	return &Log{
		id: id, path: path, file: f, lock: lock, disk: s.disk(), sum: noSum,
		maxLine: s.Limits.Int(limit.Line),
		packer:  packer{file: f, known: known, inline: s.Limits.Int(limit.Inline), put: s.putText},
	}
}

// Path returns where the log is.
func (l *Log) Path() string { return l.path }

// Append writes one record for each body, all with the time now in UTC and whole
// milliseconds, and returns them. With durable it returns when they, and all
// before them, are on the disk; callers that wait for the same log share that.
//
// When a write fails none of the records is in the log, which can be used on.
// When the disk fails to make them durable nobody can say; then the log refuses
// everything until it is opened again.
func (l *Log) Append(now time.Time, durable bool, bodies ...longrein.Body) ([]longrein.Record, error) {
	records, err := l.append(now, durable, bodies)
	if err != nil {
		return nil, fmt.Errorf("append to the log of thread %s: %w", l.id, explain(err))
	}
	return records, nil
}

func (l *Log) append(now time.Time, durable bool, bodies []longrein.Body) ([]longrein.Record, error) {
	payloads, err := marshal(bodies, l.maxLine)
	if err != nil {
		return nil, err
	}
	records, end, err := l.write(now, bodies, payloads)
	if errors.Is(err, errUngauged) {
		if err = l.measure(); err == nil {
			records, end, err = l.write(now, bodies, payloads)
		}
	}
	if err == nil && durable {
		err = l.syncTo(end)
	}
	return records, err
}

// marshal returns the bodies' payloads.
func marshal(bodies []longrein.Body, maxLine int) ([][]byte, error) {
	payloads := make([][]byte, len(bodies))
	for i, b := range bodies {
		p, err := encodeBody(b)
		if err != nil {
			return nil, err
		}
		if len(p) > maxLine {
			return nil, fmt.Errorf("a record of %d bytes: %w (%d bytes)", len(p), errLong, maxLine)
		}
		payloads[i] = p
	}
	return payloads, nil
}

// write appends the bodies in one write. It returns their records and the size
// of the file with them.
func (l *Log) write(now time.Time, bodies []longrein.Body, payloads [][]byte) ([]longrein.Record, int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.ready(bodies); err != nil {
		return nil, 0, err
	}
	b := l.batch(now)
	for i := range bodies {
		if err := b.add(bodies[i], payloads[i]); err != nil {
			l.undo()
			return nil, 0, err
		}
	}
	if err := l.flush(); err != nil {
		return nil, 0, err
	}
	l.seq, l.sum = l.seq+int64(len(bodies)), b.sum
	return b.records, l.size, nil
}

// ready reports why the bodies cannot be appended now.
func (l *Log) ready(bodies []longrein.Body) error {
	if l.err != nil {
		return l.err
	}
	if l.seq == 0 && len(bodies) > 0 {
		if _, ok := bodies[0].(longrein.Thread); !ok {
			return fmt.Errorf("a log begins with a thread record, not with %s", longrein.Record{Body: bodies[0]}.Type())
		}
	}
	if !l.file.At(l.path) {
		return fmt.Errorf("%s was moved or removed while the thread was open: %w", l.path, fs.ErrNotExist)
	}
	if l.ungauged(bodies) {
		return errUngauged
	}
	return l.trim()
}

// trim removes what a failed write left, for good: it must not be there again
// after a crash.
func (l *Log) trim() error {
	if !l.ragged {
		return nil
	}
	if err := l.file.Truncate(l.size); err != nil {
		return err
	}
	l.ragged = false
	if err := l.file.Sync(); err != nil {
		l.refuse(err)
		return l.err
	}
	return nil
}

// flush writes the batch. What a failed write left of it is removed, now or, if
// that fails too, before the next one.
func (l *Log) flush() error {
	l.wrote = true
	n, err := l.file.WriteAt(l.packer.buf, l.size)
	if err != nil {
		l.ragged = true
		l.undo()
		return err
	}
	l.size += int64(n)
	return nil
}

func (l *Log) undo() {
	l.packer.known.forget(l.size)
	l.trim() // tried again by ready
}

// Close makes durable what is not yet, and gives the lock back. Further calls do
// nothing.
func (l *Log) Close() error {
	if err := l.close(); err != nil {
		return fmt.Errorf("close the log of thread %s: %w", l.id, explain(err))
	}
	return nil
}

func (l *Log) close() error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	size, err := l.size, l.err
	if err == nil {
		l.err = ErrClosed
	}
	l.mu.Unlock()
	if errors.Is(err, ErrClosed) {
		return nil
	}
	if err == nil && l.synced < size {
		err = l.sync(size)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	err = errors.Join(err, l.trim())
	return errors.Join(err, l.gauge.release(l.disk, err == nil), l.abandon())
}

// abandon closes the file and gives the lock back.
func (l *Log) abandon() error {
	l.err = ErrClosed
	return errors.Join(l.file.Close(), l.lock.Close())
}
