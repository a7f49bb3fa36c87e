package rollout

import (
	"errors"
	"fmt"
)

// syncTo returns when the first end bytes of the log are durable. One caller
// syncs all that was written by then; those who waited behind it find theirs
// done.
func (l *Log) syncTo(end int64) error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	size, err := l.size, l.err
	l.mu.Unlock()
	if err != nil || l.synced >= end {
		return err
	}
	return l.sync(size)
}

// sync makes the log durable, which is size long. It needs the lock syncing.
func (l *Log) sync(size int64) error {
	if err := errors.Join(l.file.Sync(), syncDirs(l.disk, l.unsynced)); err != nil {
		return l.fail(err)
	}
	l.synced, l.unsynced = size, nil
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gauge != nil {
		_ = l.gauge.set(1, size) // what it says without is true too
	}
	return nil
}

// fail ends writing after a failed sync. The system may now take what it could
// not write for written, so a later sync would prove nothing.
func (l *Log) fail(cause error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refuse(cause)
	l.rewrite()
	return l.err
}

// refuse lets nothing be appended any more.
func (l *Log) refuse(cause error) {
	l.err = fmt.Errorf("the disk did not take what was written; nothing is appended until the thread is opened again: %w", cause)
}

// rewrite writes what is not durable once more, so that the system knows that
// it still has to reach the disk when the log is opened again.
func (l *Log) rewrite() {
	buf := make([]byte, min(chunk, l.size-l.synced)) // fixed: read in chunks, nothing is left out
	for off := l.synced; off < l.size; off += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), l.size-off)]
		if _, err := l.file.ReadAt(buf, off); err != nil {
			return
		}
		if _, err := l.file.WriteAt(buf, off); err != nil {
			return
		}
	}
}
