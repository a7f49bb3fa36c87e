package rollout

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/longrein/longrein"
)

// A disk writes what is not synced in any order, so after a power cut a log may
// have good lines behind others that are lost. They would pass for the work of a
// thread that never was. A line that is damaged later must not end the log, though,
// since what follows it was acknowledged.
//
// What tells the two apart is the gauge: a file beside a log that is written to,
// which says how far that is surely synced. Behind there the first line that is
// not whole ends the log; before, it is damage and costs only itself. Without a
// gauge the log was closed in peace, and all of it was synced.
type gauge struct {
	file DiskFile
	path string
}

const (
	gaugeSuffix = ".synced"
	// gaugeSlot is the size of a sector, so that a torn write spoils one slot. The
	// first is synced before the log is written to, the other is not.
	gaugeSlot = 512
)

func gaugePath(path string) string { return strings.TrimSuffix(path, logSuffix) + gaugeSuffix }

// newGauge makes a gauge. It is durable when its folder is.
func newGauge(d Disk, path string, n int64) (*gauge, error) {
	f, err := d.Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	g := &gauge{f, path}
	if err := errors.Join(g.set(0, n), f.Sync()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return g, nil
}

func (g *gauge) set(slot int, n int64) error {
	text := fmt.Appendf(make([]byte, 0, gaugeSlot), "%020d", n)
	text = fmt.Appendf(text, " %08x\n", crc32.Checksum(text, castagnoli))
	_, err := g.file.WriteAt(text, int64(slot)*gaugeSlot)
	return err
}

// read returns how far the log is synced. It is not ok when nothing can be read,
// which is so until the gauge is durable: then nothing was written behind it.
func (g *gauge) read() (n int64, ok bool, err error) {
	var buf [2 * gaugeSlot]byte
	if _, err := g.file.ReadAt(buf[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, false, err
	}
	for _, slot := range [][]byte{buf[:gaugeSlot], buf[gaugeSlot:]} { // fixed: two of them
		var at int64
		var crc uint32
		if _, err := fmt.Sscanf(string(slot[:30]), "%020d %08x\n", &at, &crc); err != nil || crc != crc32.Checksum(slot[:20], castagnoli) { // fixed: a gauge's format
			continue
		}
		n, ok = max(n, at), true
	}
	return n, ok, nil
}

// gauged returns how far the log at path is surely synced; not ok when all of it
// is.
func (s *Store) gauged(path string) (n int64, ok bool, err error) {
	f, err := s.disk().Open(gaugePath(path), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	n, ok, err = (&gauge{file: f}).read()
	return n, ok, errors.Join(err, f.Close())
}

// sound returns where the first line behind off begins that is not whole, which is
// where the log ends.
func (f *source) sound(off int64) (int64, error) {
	r, err := f.reader(off)
	if err != nil {
		return 0, err
	}
	for {
		ln, err := r.lines.next()
		if err == io.EOF {
			return f.size, nil
		}
		if err != nil {
			return 0, err
		}
		if _, err := r.check(ln); err != nil && !errors.Is(err, errLong) {
			return ln.off, nil
		}
	}
}

// errUngauged says that a write may leave good lines behind lost ones, and has to
// wait for a gauge.
var errUngauged = errors.New("the log has no gauge")

// ungauged reports whether the bodies have to wait for a gauge. Alone and first, a
// line is there or it is not.
func (l *Log) ungauged(bodies []longrein.Body) bool {
	return l.gauge == nil && (l.wrote || len(bodies) > 1)
}

// measure makes durable what is there, and a gauge that says so.
func (l *Log) measure() error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	size, err, there := l.size, l.err, l.gauge != nil
	l.mu.Unlock()
	if err != nil || there {
		return err
	}
	if l.synced < size {
		if err := l.file.Sync(); err != nil {
			return l.fail(err)
		}
		l.synced = size
	}
	g, err := newGauge(l.disk, gaugePath(l.path), size)
	if err != nil {
		return err
	}
	if err := syncDirs(l.disk, append(l.unsynced, filepath.Dir(l.path))); err != nil {
		return errors.Join(err, g.file.Close())
	}
	l.unsynced = nil
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gauge = g
	return nil
}

// secure makes durable what was found when a log is opened that was not closed in
// peace, by writing it once more: a sync of before may have failed, and the system
// takes for written what it could not write.
func (l *Log) secure(n int64) error {
	f, err := l.disk.Open(gaugePath(l.path), os.O_RDWR)
	if err != nil {
		return err
	}
	l.gauge = &gauge{f, gaugePath(l.path)}
	l.synced = min(n, l.size)
	l.rewrite()
	if err := l.sync(l.size); err != nil {
		return err
	}
	// The gauge may not be durable itself. One slot after the other, so that one is
	// whole at any time.
	return errors.Join(f.Sync(), l.gauge.set(0, l.size), f.Sync())
}

// release closes the gauge, and removes it when all is synced.
func (g *gauge) release(d Disk, clean bool) error {
	if g == nil {
		return nil
	}
	err := g.file.Close()
	if clean {
		err = errors.Join(err, d.Remove(g.path))
	}
	return err
}

// removeGauge removes the gauge of a log that is no longer written to.
func (s *Store) removeGauge(path string) error {
	if err := s.disk().Remove(gaugePath(path)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
