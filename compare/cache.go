package compare

import (
	"bytes"
	"slices"
	"time"
)

// cache is a provider's: it knows the requests that it was sent, as streams of
// requests that extend each other. Positions are in bytes of a request without its
// cache marks.
type cache struct {
	Cache
	streams []*stream
	tail    []byte   // room for what is new in a request
	rooms   [][]byte // of streams that are gone
}

// stream is the requests of a window, or of a fork.
type stream struct {
	name string
	text []byte // the newest one
	ends []end  // of its prefixes that are worth knowing, ascending
	uses []use
	// text[:agreed] is in every request to come, raw its length with the marks in
	// it. Package assemble promises so, and a test holds it to that; looking at
	// all of a long request again and again would be most of a replay's work.
	agreed, raw int
}

// end is where a prefix of a stream ends.
type end struct {
	at, tokens int
	marked     bool
}

// use says when a prefix was used last. Of a stream's uses each is longer, and
// longer ago, than the next one.
type use struct {
	at   int
	time time.Time
}

// mostStreams is how many are kept: old windows' are of use for what all begin
// with.
const mostStreams = 6 // fixed: a model of what a provider keeps

// slack is what blocks, and bytes that end a request, may make of the cache's
// tokens: within it, another stream cannot know more.
const slack = 256

// ending is longer than what closes a request's body.
const ending = 64

// ask takes a request of so many tokens in and returns how many of them come from
// the cache and how many are written to it. Steady says that the stream is one
// whose requests only grow.
func (c *cache) ask(now time.Time, name string, body []byte, tokens int, steady bool) (cached, written int) {
	if c.Block == 0 {
		return 0, 0
	}
	s := c.stream(now, name)
	text, marks := unmark(c.tail[:0], body[s.raw:])
	c.tail = text
	same := s.agreed + common(s.text[s.agreed:], text)
	s.text = append(s.text[:s.agreed], text...)
	cached = c.hit(now, s, same)
	if len(s.ends) == 0 || cached < s.ends[len(s.ends)-1].tokens-slack {
		cached = max(cached, c.elsewhere(now, s))
	}
	s.note(same, marks, tokens)
	s.touch(now, len(s.text))
	if steady {
		s.settle(same, marks)
	}
	if c.Marked && tokens >= c.Least {
		written = max(s.marked(len(s.text))-cached, 0)
	}
	return cached, written
}

// elsewhere looks for the request's beginning in the other streams.
func (c *cache) elsewhere(now time.Time, s *stream) (cached int) {
	for _, other := range c.streams {
		if other != s {
			cached = max(cached, c.hit(now, other, common(other.text, s.text)))
		}
	}
	return cached
}

// hit returns how many tokens a request has in the cache, when it has the first n
// bytes of the stream in common with it.
func (c *cache) hit(now time.Time, s *stream, n int) int {
	n = min(n, s.alive(now, c.Life))
	tokens := 0
	if c.Marked {
		tokens = s.marked(n)
	} else {
		tokens = s.tokens(n) / c.Block * c.Block
	}
	if tokens < c.Least {
		return 0
	}
	s.touch(now, n)
	return tokens
}

// stream returns the one of that name, or a new one.
func (c *cache) stream(now time.Time, name string) *stream {
	for _, s := range c.streams {
		if s.name == name {
			return s
		}
	}
	c.forget(now)
	s := &stream{name: name}
	if n := len(c.rooms); n > 0 {
		s.text, c.rooms = c.rooms[n-1][:0], c.rooms[:n-1]
	}
	c.streams = append(c.streams, s)
	return s
}

// forget drops the streams that are too old or too many.
func (c *cache) forget(now time.Time) {
	over := len(c.streams) - mostStreams + 1
	c.streams = slices.DeleteFunc(c.streams, func(s *stream) bool {
		over--
		if over < 0 && s.alive(now, c.Life) > 0 {
			return false
		}
		c.rooms = append(c.rooms, s.text)
		return true
	})
}

// alive returns how many bytes of the stream have not been dropped for age.
func (s *stream) alive(now time.Time, life time.Duration) int {
	for _, u := range s.uses {
		if now.Sub(u.time) <= life {
			return u.at
		}
	}
	return 0
}

// touch says that the first n bytes are used now.
func (s *stream) touch(now time.Time, n int) {
	for len(s.uses) > 0 && s.uses[len(s.uses)-1].at <= n {
		s.uses = s.uses[:len(s.uses)-1]
	}
	s.uses = append(s.uses, use{n, now})
}

// tokens returns how many tokens the first n bytes have: what was counted at the
// ends of requests, and in between in proportion.
func (s *stream) tokens(n int) int {
	var from end
	for _, to := range s.ends {
		if to.at >= n {
			return from.tokens + (to.tokens-from.tokens)*(n-from.at)/max(to.at-from.at, 1)
		}
		from = to
	}
	return from.tokens
}

// marked returns the tokens up to the last breakpoint within the first n bytes.
func (s *stream) marked(n int) int {
	for _, e := range slices.Backward(s.ends) {
		if e.marked && e.at <= n {
			return e.tokens
		}
	}
	return 0
}

// note replaces the ends behind the first same bytes by those of the request that
// was taken in.
func (s *stream) note(same int, marks []mark, tokens int) {
	for len(s.ends) > 0 && s.ends[len(s.ends)-1].at > same {
		over := s.ends[len(s.ends)-1]
		s.ends = s.ends[:len(s.ends)-1]
		if over.at-same < ending {
			s.ends = append(s.ends, end{same, over.tokens, false})
			break
		}
	}
	last := end{at: len(s.text), tokens: tokens}
	all := append(s.ends[:len(s.ends):len(s.ends)], last)
	whole := stream{ends: all}
	for _, m := range marks {
		if at := s.agreed + m.at; len(s.ends) == 0 || at > s.ends[len(s.ends)-1].at {
			s.ends = append(s.ends, end{at, whole.tokens(at), true})
		}
	}
	s.ends = append(s.ends, last)
}

// settle finds how much of the stream will not change any more: what two requests
// agreed on, and only what stands before the last two marks, which move.
func (s *stream) settle(same int, marks []mark) {
	switch n := len(marks); {
	case n >= 2:
		s.raw += marks[n-2].raw
		s.agreed += marks[n-2].at
	case n == 0 && same > s.agreed:
		s.raw += same - s.agreed
		s.agreed = same
	}
}

// mark is where a cache mark stands in a text, without the marks before it and
// with them.
type mark struct{ at, raw int }

var cacheMark = []byte(`,"cache_control":{"type":"ephemeral"}`)

// unmark appends text to dst without its cache marks.
func unmark(dst, text []byte) ([]byte, []mark) {
	var marks []mark
	for raw := 0; ; {
		i := bytes.Index(text[raw:], cacheMark)
		if i < 0 {
			return append(dst, text[raw:]...), marks
		}
		dst = append(dst, text[raw:raw+i]...)
		marks = append(marks, mark{len(dst), raw + i})
		raw += i + len(cacheMark)
	}
}

// common returns how many bytes two texts have in common at their beginning.
func common(a, b []byte) int {
	const step = 4 << 10
	most, n := min(len(a), len(b)), 0
	for n+step <= most && bytes.Equal(a[n:n+step], b[n:n+step]) {
		n += step
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}
