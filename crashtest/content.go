package crashtest

import (
	"errors"
	"io"
)

const (
	// pageSize is how many bytes are shared, or copied, at once.
	pageSize = 4096
	// sectorSize is how much a drive writes at once: a write that is not synced may
	// be there sector by sector, in any order.
	sectorSize = 512
)

// page is a part of a file. It is written to only by the disk that made it and
// has shown it to no other since.
type page struct {
	by   *era
	data [pageSize]byte
}

// era is the time in which pages belong to one disk. It has a size, so that two of
// them are never at one address.
type era struct{ _ byte }

// content is a file's bytes. A copy of one shares them.
type content struct {
	pages []*page
	size  int64
}

func (c content) share() content {
	return content{append([]*page(nil), c.pages...), c.size}
}

// errFar says that a write lies so far behind the end that it is a mistake.
var errFar = errors.New("the write lies far behind the end of the file")

// write puts p at off; what lies between the old end and off reads as zeros.
func (c *content) write(by *era, p []byte, off int64) {
	if len(p) == 0 {
		return
	}
	for len(p) > 0 {
		pg := c.own(by, off/pageSize)
		n := copy(pg.data[off%pageSize:], p)
		p, off = p[n:], off+int64(n)
	}
	c.size = max(c.size, off)
}

// own returns a page that may be written to.
func (c *content) own(by *era, n int64) *page {
	for int64(len(c.pages)) <= n {
		c.pages = append(c.pages, &page{by: by})
	}
	if c.pages[n].by != by {
		c.pages[n] = &page{by: by, data: c.pages[n].data}
	}
	return c.pages[n]
}

// truncate cuts or lengthens the content.
func (c *content) truncate(by *era, size int64) {
	if size < c.size {
		c.pages = c.pages[:(size+pageSize-1)/pageSize]
		if rest := size % pageSize; rest > 0 {
			clear(c.own(by, size/pageSize).data[rest:])
		}
	}
	for int64(len(c.pages))*pageSize < size {
		c.pages = append(c.pages, &page{by: by})
	}
	c.size = size
}

func (c *content) readAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && off < c.size {
		pg := c.pages[off/pageSize]
		k := copy(p[n:min(int64(len(p)), int64(n)+c.size-off)], pg.data[off%pageSize:])
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// bytes returns all of it.
func (c *content) bytes() []byte {
	b := make([]byte, c.size)
	_, _ = c.readAt(b, 0) // all that there is
	return b
}

// change is a write, or a cut, that is not on the disk yet.
type change struct {
	off  int64
	data []byte
	cut  bool // to off
}

func (c *content) apply(by *era, ch change) {
	if ch.cut {
		c.truncate(by, ch.off)
		return
	}
	c.write(by, ch.data, ch.off)
}

// sectors returns the change as what a drive writes one by one.
func (ch change) sectors() (parts []change) {
	if ch.cut {
		return []change{ch}
	}
	for off, data := ch.off, ch.data; len(data) > 0; {
		n := min(int64(len(data)), sectorSize-off%sectorSize)
		parts = append(parts, change{off: off, data: data[:n]})
		off, data = off+n, data[n:]
	}
	return parts
}
