package crashtest

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Cause is what ends a process.
type Cause string

// A killed process leaves all that it had written; the system still has it. When
// the power goes, only what was synced is sure.
const (
	Kill  Cause = "kill"
	Power Cause = "power cut"
)

// loss says what a power cut keeps of what was not synced.
type loss string

const (
	loseAll   loss = "nothing"       // of it
	keepAll   loss = "all"           // as if it had been synced
	keepFirst loss = "the first"     // up to some byte, in the order of writing
	keepAny   loss = "any sectors"   // each by itself, in any order
	keepSize  loss = "only the size" // zeros where the bytes would be
)

var losses = []loss{loseAll, keepAll, keepFirst, keepFirst, keepAny, keepAny, keepSize}

// Crash returns the disk as the next process finds it when the cause strikes while
// op is under way, which may be partly done. The disk itself goes on.
func (d *Disk) Crash(cause Cause, op Op, r *rand.Rand) *Disk {
	d.era = new(era) // what there is belongs to both from now on
	c := copier{from: d, op: op, cause: cause, r: r, seen: map[*node]*node{}, renames: map[int]bool{}}
	c.loss = losses[r.IntN(len(losses))]
	c.era = new(era)
	out := &Disk{Room: d.Room, ReadOnly: d.ReadOnly, era: new(era), locks: map[*node]bool{}}
	out.root = c.copy(d.root)
	return out
}

// copier makes the disk after a crash.
type copier struct {
	from    *Disk
	op      Op
	cause   Cause
	loss    loss
	era     *era
	r       *rand.Rand
	seen    map[*node]*node
	renames map[int]bool // that have happened, by number
}

func (c *copier) copy(n *node) *node {
	if m := c.seen[n]; m != nil {
		return m
	}
	m := &node{}
	c.seen[n] = m
	if n.file != nil {
		m.file = c.file(n.file)
	} else {
		m.dir = c.dir(n.dir)
	}
	return m
}

func (c *copier) dir(d *dir) *dir {
	kept := d.now
	if c.cause == Power {
		kept = c.entries(d)
	}
	out := &dir{now: make(map[string]*node, len(kept)), disk: make(map[string]*node, len(kept))}
	if c.cause == Kill {
		for _, name := range sorted(d.disk) {
			out.disk[name] = c.copy(d.disk[name])
		}
		for _, e := range d.since {
			if e.node != nil {
				e.node = c.copy(e.node)
			}
			out.since = append(out.since, e)
		}
	}
	for _, name := range sorted(kept) {
		out.now[name] = c.copy(kept[name])
		if c.cause == Power {
			out.disk[name] = out.now[name]
		}
	}
	return out
}

// sorted returns the names in an order that is always the same, since chance is
// asked file by file.
func sorted(m map[string]*node) []string { return slices.Sorted(maps.Keys(m)) }

// entries chooses what a folder holds after a power cut.
func (c *copier) entries(d *dir) map[string]*node {
	kept := make(map[string]*node, len(d.disk))
	for name, n := range d.disk {
		kept[name] = n
	}
	for _, e := range d.since {
		happened, known := c.renames[e.rename]
		if !known {
			happened = c.happened()
		}
		if e.rename != 0 {
			c.renames[e.rename] = happened
		}
		if happened {
			put(kept, e)
		}
	}
	return kept
}

func (c *copier) happened() bool {
	switch c.loss {
	case loseAll:
		return false
	case keepAll:
		return true
	}
	return c.r.IntN(2) == 0
}

func (c *copier) file(f *file) *file {
	since := f.since
	if f == c.op.file && c.op.Kind == OpWrite {
		n := c.r.IntN(len(c.op.Data) + 1)
		if c.cause == Power && c.r.IntN(2) == 0 {
			n = len(c.op.Data)
		}
		since = append(since[:len(since):len(since)], change{off: c.op.Off, data: append([]byte(nil), c.op.Data[:n]...)})
	}
	if c.cause == Kill {
		return c.killed(f, since)
	}
	out := &file{disk: f.disk.share()}
	out.keep(c.era, since, c.loss, c.r)
	out.now = out.disk.share()
	return out
}

// killed is a file that only its process has lost. What a failed sync left in
// memory alone may be forgotten by the system at any time.
func (c *copier) killed(f *file, since []change) *file {
	out := &file{now: f.now.share(), disk: f.disk.share(), since: since[:len(since):len(since)], apart: f.apart}
	switch {
	case f.apart && c.r.IntN(2) == 0:
		out.now = f.disk.share()
		for _, ch := range since {
			out.now.apply(c.era, ch)
		}
	case len(since) > len(f.since):
		out.now.apply(c.era, since[len(since)-1])
	}
	return out
}

// keep brings to the disk what is not lost of the changes.
func (f *file) keep(by *era, since []change, l loss, r *rand.Rand) {
	switch l {
	case keepAll:
		for _, c := range since {
			f.disk.apply(by, c)
		}
	case keepFirst:
		f.keepFirst(by, since, r)
	case keepAny:
		f.keepAny(by, since, r)
	case keepSize:
		size := f.disk.size
		for _, c := range since {
			size = max(size, c.off+int64(len(c.data)))
		}
		f.disk.truncate(by, size)
	}
}

// keepFirst keeps the changes up to some byte of one of them.
func (f *file) keepFirst(by *era, since []change, r *rand.Rand) {
	if len(since) == 0 {
		return
	}
	n := r.IntN(len(since))
	for _, c := range since[:n] {
		f.disk.apply(by, c)
	}
	if last := since[n]; !last.cut {
		last.data = last.data[:r.IntN(len(last.data)+1)]
		f.disk.apply(by, last)
	}
}

// keepAny keeps sectors in any choice, one of them perhaps not whole. The file may
// be as long as it would have been, or end with what is kept.
func (f *file) keepAny(by *era, since []change, r *rand.Rand) {
	size, share := f.disk.size, 1+r.IntN(9)
	for _, c := range since {
		for _, s := range c.sectors() {
			size = max(size, s.off+int64(len(s.data)))
			if r.IntN(10) < share {
				f.disk.apply(by, s)
			} else if !s.cut && r.IntN(8) == 0 {
				s.data = s.data[:r.IntN(len(s.data))]
				f.disk.apply(by, s)
			}
		}
	}
	if f.disk.size < size && r.IntN(2) == 0 {
		f.disk.truncate(by, size)
	}
}

// lose is a sync that fails: some of it is durable, the rest is only in memory,
// and the system takes all of it for written.
func (f *file) lose(by *era, r *rand.Rand) {
	f.keep(by, f.since, losses[r.IntN(len(losses))], r)
	f.since, f.apart = nil, true
}
