package check

import (
	"bytes"
	"time"

	"github.com/longrein/longrein/compare"
)

var breakKind = kind{
	name: "no-cache-break",
	what: "within a window, every request begins with the bytes of the one before, and the simulated cache still has them; " +
		"with allow_expired = true it may have dropped them for age",
	takes:   []string{"allow_expired"},
	example: "allow_expired = true\n",
	says: func(r Rule) string {
		if r.AllowExpired {
			return "no cache break inside a window, unless the cache has expired"
		}
		return "no cache break inside a window"
	},
	judge: func(r Rule, s scene) judge {
		return &noBreak{life: s.profile.Cache.Life, allowExpired: r.AllowExpired}
	},
}

// noBreak compares every request with the one before.
type noBreak struct {
	endsWell
	life         time.Duration
	allowExpired bool
	body         []byte // of the request before, without marks and its end
	next         []byte
	last         compare.Point
}

func (n *noBreak) see(r request) *finding {
	if !r.worker() {
		return nil
	}
	n.next = unmarked(n.next[:0], r.Request.Body)
	before := n.last
	grew := bytes.HasPrefix(n.next, n.body)
	from := common(n.body, n.next)
	n.body, n.next, n.last = n.next, n.body, r.Point
	pause := r.Point.At - before.At
	switch {
	case r.began:
		return nil
	case !grew:
		return at(r.Point, "from byte %s on this request is not the one before, which has %s bytes", whole(int64(from)), whole(int64(len(n.next))))
	case r.Point.Break && !(n.allowExpired && pause > n.life):
		return at(r.Point, "the request before had %s tokens, of which the cache gives %s, %s later; it keeps what was not used for %s",
			whole(int64(before.Tokens)), whole(int64(r.Point.Cached)), span(pause), span(n.life))
	}
	return nil
}

var cacheMark = []byte(`,"cache_control":{"type":"ephemeral"}`)

// unmarked appends a body to dst without cache marks, which are no part of the
// prefix, and without what closes it.
func unmarked(dst, body []byte) []byte {
	for {
		i := bytes.Index(body, cacheMark)
		if i < 0 {
			return bytes.TrimSuffix(append(dst, body...), []byte("]}"))
		}
		dst, body = append(dst, body[:i]...), body[i+len(cacheMark):]
	}
}

// common returns how many bytes two texts have in common at their beginning.
func common(a, b []byte) int {
	if bytes.HasPrefix(b, a) {
		return len(a)
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

var hitsKind = kind{
	name:    "cache-hits",
	what:    "so much of the session's input, forks' included, comes from the simulated cache; told is the step that read most anew",
	needs:   [][]string{{"least_percent"}},
	example: "least_percent = 80\n",
	says:    func(r Rule) string { return "at least " + decimal(r.Least) + "% of the input comes from the cache" },
	judge:   func(r Rule, _ scene) judge { return hits{least: r.Least} },
}

type hits struct {
	seesNothing
	least float64
}

func (h hits) end(r *compare.Result) *finding {
	if r.Profile.Cache.Block == 0 {
		return nothing("the profile %s has no cache", r.Profile.Name)
	}
	if 100*r.HitShare >= h.least {
		return nil
	}
	var worst compare.Point
	for _, p := range r.Points {
		if worst.Step == 0 || p.Tokens-p.Cached > worst.Tokens-worst.Cached {
			worst = p
		}
	}
	return at(worst, "%s%%: %s of %s tokens; most of the rest at once, %s, were in the request of this step",
		percent(r.HitShare), whole(r.Usage.Cached), whole(r.Usage.Input), whole(int64(worst.Tokens-worst.Cached)))
}
