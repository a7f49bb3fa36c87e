package sim

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/longrein/longrein"
)

// blockTokens is the size of a cache block; only whole blocks are found again.
const blockTokens = 128

// lookBack is how many content blocks before a breakpoint the messages wire
// searches for an earlier one.
const lookBack = 20

// cache remembers prefixes of prompts by their hashes, each with the time from
// which it can be read. It holds at most two generations of size hashes; what was
// used in neither is forgotten, so memory stays bounded and what is in use stays.
type cache struct {
	seed    maphash.Seed
	size    int
	min     int // tokens below which nothing is cached
	latency Latency

	mu       sync.Mutex
	now, old map[uint64]int64 // nanoseconds of the Unix epoch
}

func newCache(size, least int, l Latency) *cache {
	return &cache{seed: maphash.MakeSeed(), size: max(size/2, 1), min: least, latency: l, now: map[uint64]int64{}}
}

// use returns how many tokens of p, which arrives at a time, are read from the
// cache and how many are written to it, and writes them. What is written can be
// read when the answer begins: requests that arrive together do not share it.
func (c *cache) use(p *prompt, at time.Time) (read, written int) {
	if p.tokens() < c.min {
		return 0, 0
	}
	if p.wire == longrein.WireMessages {
		return c.useBreakpoints(p, at)
	}
	return c.useBlocks(p, at)
}

// ready is when what p writes can be read.
func (c *cache) ready(p *prompt, read int, at time.Time) int64 {
	return at.Add(c.latency.first(int64(p.tokens() - read))).UnixNano()
}

// useBlocks finds the longest known run of whole blocks from the start.
func (c *cache) useBlocks(p *prompt, at time.Time) (read, written int) {
	sums := c.blocks(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	for read < len(sums) && c.has(sums[read], at) {
		read++
	}
	ready := c.ready(p, read*blockTokens, at)
	for _, s := range sums[read:] {
		c.put(s, ready)
	}
	return read * blockTokens, (len(sums) - read) * blockTokens
}

// blocks returns a hash for each whole block of p, which stands for the block
// and everything before it.
func (c *cache) blocks(p *prompt) []uint64 {
	const size = blockTokens * bytesPerToken
	h := c.hash(p)
	sums := make([]uint64, 0, p.tokens()/blockTokens)
	room := size
	for _, q := range p.parts {
		for _, b := range q.pieces {
			for len(b) >= room {
				_, _ = h.Write(b[:room])
				sums = append(sums, h.Sum64())
				b, room = b[room:], size
			}
			_, _ = h.Write(b)
			room -= len(b)
		}
	}
	return sums
}

// hash begins a hash that differs between wires, models and cache keys.
func (c *cache) hash(p *prompt) *maphash.Hash {
	h := &maphash.Hash{}
	h.SetSeed(c.seed)
	for _, s := range []string{string(p.wire), p.model, p.key} {
		_, _ = h.WriteString(s)
		_ = h.WriteByte(0)
	}
	return h
}

// useBreakpoints reads the longest prefix that ends at one of p's breakpoints, or
// up to lookBack blocks before one, and writes one prefix for each breakpoint.
func (c *cache) useBreakpoints(p *prompt, at time.Time) (read, written int) {
	ends := c.ends(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(ends) - 1; i >= 0 && read == 0; i-- {
		if ends[i].stop {
			read = c.longest(ends[max(0, i+1-lookBack):i+1], at)
		}
	}
	last, ready := 0, c.ready(p, read, at)
	for _, e := range ends {
		if e.stop && e.tokens >= c.min {
			c.put(e.sum, ready)
			last = e.tokens
		}
	}
	return read, max(0, last-read)
}

// ends returns the prefixes of p that end with a content block.
func (c *cache) ends(p *prompt) []prefix {
	h, size := c.hash(p), 0
	ends := make([]prefix, 0, len(p.parts))
	for i, q := range p.parts {
		for _, b := range q.pieces {
			_, _ = h.Write(b)
		}
		size += q.size()
		stop := q.stop || p.lastBreak && i == len(p.parts)-1
		ends = append(ends, prefix{h.Sum64(), tokens(size), stop})
	}
	return ends
}

// prefix is a prompt up to the end of one content block.
type prefix struct {
	sum    uint64
	tokens int
	stop   bool
}

func (c *cache) longest(ends []prefix, at time.Time) int {
	for i := len(ends) - 1; i >= 0; i-- {
		if c.has(ends[i].sum, at) {
			return ends[i].tokens
		}
	}
	return 0
}

// has reports whether a prefix can be read, and keeps it for longer.
func (c *cache) has(sum uint64, at time.Time) bool {
	ready, ok := c.now[sum]
	if !ok {
		if ready, ok = c.old[sum]; ok {
			c.put(sum, ready)
		}
	}
	return ok && ready <= at.UnixNano()
}

// put keeps a prefix; one that is there already is not put off.
func (c *cache) put(sum uint64, ready int64) {
	if have, ok := c.now[sum]; ok {
		ready = min(ready, have)
	} else if have, ok := c.old[sum]; ok {
		ready = min(ready, have)
	}
	if len(c.now) >= c.size {
		c.now, c.old = map[uint64]int64{}, c.now
	}
	c.now[sum] = ready
}
