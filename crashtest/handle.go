package crashtest

import (
	"io/fs"
	"syscall"
)

// handle is an open file.
type handle struct {
	disk   *Disk
	node   *node
	path   string
	closed bool
}

func (h *handle) ReadAt(p []byte, off int64) (int, error) {
	if f := h.disk.watch(Op{Kind: OpRead, Path: h.path, Off: off}); f.Err != nil {
		return 0, fail("read", h.path, f.Err)
	}
	return h.node.file.now.readAt(p, off)
}

// WriteAt writes what there is room for.
func (h *handle) WriteAt(p []byte, off int64) (int, error) {
	if off > h.node.file.now.size+1<<20 {
		return 0, fail("write", h.path, errFar)
	}
	f := h.disk.watch(Op{Kind: OpWrite, Path: h.path, Data: p, Off: off, file: h.node.file})
	if f.Err != nil && !f.Done {
		p = p[:min(len(p), f.Part)]
	}
	fits, err := h.disk.room(h.node.file, p, off)
	if f.Err != nil {
		err = f.Err
	}
	if len(fits) > 0 {
		h.node.file.do(h.disk.era, change{off: off, data: append([]byte(nil), fits...)})
	}
	return len(fits), wrap("write", h.path, err)
}

// room returns how much of p the disk has room for.
func (d *Disk) room(f *file, p []byte, off int64) ([]byte, error) {
	if d.Room < 0 {
		return p, nil
	}
	more := max(0, off+int64(len(p))-f.now.size)
	if more <= d.Room {
		d.Room -= more
		return p, nil
	}
	p = p[:max(0, int64(len(p))-(more-d.Room))]
	d.Room = 0
	return p, syscall.ENOSPC
}

// do makes a change that is not on the disk yet.
func (f *file) do(by *era, c change) {
	f.now.apply(by, c)
	f.since = append(f.since, c)
}

func (h *handle) Truncate(size int64) error {
	f := h.disk.watch(Op{Kind: OpTruncate, Path: h.path, Off: size, file: h.node.file})
	if f.Err != nil && !f.Done {
		return fail("truncate", h.path, f.Err)
	}
	if gone := h.node.file.now.size - size; gone > 0 && h.disk.Room >= 0 {
		h.disk.Room += gone
	}
	h.node.file.do(h.disk.era, change{off: size, cut: true})
	return wrap("truncate", h.path, f.Err)
}

func (h *handle) Size() (int64, error) { return h.node.file.now.size, nil }

// Sync makes durable what is not yet.
func (h *handle) Sync() error {
	f := h.disk.watch(Op{Kind: OpSync, Path: h.path, file: h.node.file})
	if f.Err != nil {
		if f.Kept != nil {
			h.node.file.lose(h.disk.era, f.Kept)
		}
		return fail("sync", h.path, f.Err)
	}
	h.node.file.sync(h.disk)
	return nil
}

func (f *file) sync(d *Disk) {
	if len(f.since) == 0 {
		return
	}
	if f.apart {
		for _, c := range f.since {
			f.disk.apply(d.era, c)
		}
	} else {
		f.disk = f.now.share()
		d.era = new(era)
	}
	f.since = nil
}

func (h *handle) At(p string) bool {
	n, err := h.disk.find("stat", p)
	return err == nil && n == h.node
}

func (h *handle) Close() error {
	if h.closed {
		return fail("close", h.path, fs.ErrClosed)
	}
	h.closed = true
	return nil
}
