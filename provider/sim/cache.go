package sim

import (
	"hash/maphash"
	"sync"

	"github.com/longrein/longrein"
)

// blockTokens is the size of a cache block; only whole blocks are found again.
const blockTokens = 128

// lookBack is how many content blocks before a breakpoint the messages wire
// searches for an earlier one.
const lookBack = 20

// cache remembers prefixes of prompts by their hashes. It holds at most two
// generations of size hashes; what was used in neither is forgotten, so memory
// stays bounded and what is in use stays.
type cache struct {
	seed maphash.Seed
	size int
	min  int // tokens below which nothing is cached

	mu       sync.Mutex
	now, old map[uint64]struct{}
}

func newCache(size, least int) *cache {
	return &cache{seed: maphash.MakeSeed(), size: max(size/2, 1), min: least, now: map[uint64]struct{}{}}
}

// use returns how many tokens of p are read from the cache and how many are
// written to it, and writes them.
func (c *cache) use(p *prompt) (read, written int) {
	if p.tokens() < c.min {
		return 0, 0
	}
	if p.wire == longrein.WireMessages {
		return c.useBreakpoints(p)
	}
	return c.useBlocks(p)
}

// useBlocks finds the longest known run of whole blocks from the start.
func (c *cache) useBlocks(p *prompt) (read, written int) {
	sums := c.blocks(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	for read < len(sums) && c.has(sums[read]) {
		read++
	}
	for _, s := range sums[read:] {
		c.put(s)
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
func (c *cache) useBreakpoints(p *prompt) (read, written int) {
	ends := c.ends(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(ends) - 1; i >= 0 && read == 0; i-- {
		if ends[i].stop {
			read = c.longest(ends[max(0, i+1-lookBack) : i+1])
		}
	}
	last := 0
	for _, e := range ends {
		if e.stop && e.tokens >= c.min {
			c.put(e.sum)
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

func (c *cache) longest(ends []prefix) int {
	for i := len(ends) - 1; i >= 0; i-- {
		if c.has(ends[i].sum) {
			return ends[i].tokens
		}
	}
	return 0
}

// has reports whether a prefix is known, and keeps it for longer.
func (c *cache) has(sum uint64) bool {
	if _, ok := c.now[sum]; ok {
		return true
	}
	if _, ok := c.old[sum]; !ok {
		return false
	}
	c.put(sum)
	return true
}

func (c *cache) put(sum uint64) {
	if len(c.now) >= c.size {
		c.now, c.old = map[uint64]struct{}{}, c.now
	}
	c.now[sum] = struct{}{}
}
