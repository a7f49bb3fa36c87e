//go:build unix

package e2e_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/longrein/longrein"
)

// request is one that the simulated model got, from its log.
type request struct {
	hash          string // the beginning of the body's SHA-256
	role          string // of the fork whose it is, "" for the worker's
	step          int    // of the script, 0 in a fork
	input, cached int64  // tokens
	fault         string // "" for none
	refused       string // "" for nothing
}

var requestLine = regexp.MustCompile(`^([0-9a-f]{16}) request \d+ \S+ \S+ step \d+\.(\d+) items \d+ input (\d+) cached (\d+) written \d+ output \d+(?: role (\S+))?(?: fault (\S+))?(?: refused: (.*))?$`)

// requests returns what the server got so far, in order.
func (s *server) requests() []request {
	s.t.Helper()
	log, err := os.ReadFile(s.stderr)
	if err != nil {
		s.t.Fatal(err)
	}
	var all []request
	for line := range bytes.Lines(log) {
		m := requestLine.FindSubmatch(bytes.TrimSpace(line))
		if m == nil {
			s.t.Fatalf("the simulated model logged %q", line)
		}
		all = append(all, request{
			hash: string(m[1]), step: number(s.t, m[2]), input: int64(number(s.t, m[3])), cached: int64(number(s.t, m[4])),
			role: string(m[5]), fault: string(m[6]), refused: string(m[7]),
		})
	}
	return all
}

// asked returns what the worker asked for. Its forks' requests are beside them.
func (s *server) asked() []request {
	s.t.Helper()
	return slices.DeleteFunc(s.requests(), func(r request) bool { return r.role != "" })
}

func number(t *testing.T, digits []byte) int {
	t.Helper()
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// block is how many tokens the simulated cache keeps together on the wires on
// which the server, and not the client, says where a prefix ends.
const block = 128

// checkCache checks that each request of the worker read from the cache what the one before it
// had sent: at least 99.8% of it, not counting a last block that it did not fill,
// which no server of that kind keeps. Tokens are rounded up, so a block that is
// full by their count may lack some bytes. A first request after a kill is a request
// like any other here. Those that begin a window have nothing to read. It returns
// the least share that there was.
func checkCache(t *testing.T, wire longrein.Wire, got []request, window map[string]int) (least float64) {
	t.Helper()
	least = 1
	for i := 1; i < len(got); i++ {
		was, is := got[i-1], got[i]
		if window[was.hash] != window[is.hash] {
			continue
		}
		kept := was.input
		if wire != longrein.WireMessages {
			kept = (kept - 1) / block * block
		}
		share := float64(is.cached) / float64(kept)
		least = min(least, share)
		if share < 0.998 {
			t.Errorf("request %d read %d tokens from the cache; the one before had sent %d, of which %d are kept", i+1, is.cached, was.input, kept)
		}
	}
	return least
}
