//go:build unix

package e2e_test

import (
	"net"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// TestFailures has what a task cannot survive: it ends soon, with the exit code
// that scripts rely on and a sentence that says what to do.
func TestFailures(t *testing.T) {
	tests := map[string]struct {
		model    string
		serve    []string
		nowhere  bool // nothing listens at the address
		code     int
		says     string
		requests int
	}{
		"the key is not taken":             {serve: []string{"--fault", "401 at request 1 times 99"}, code: 3, says: "key", requests: 1},
		"a web page answers":               {serve: []string{"--fault", "html at request 1 times 99"}, code: 3, says: "base_url", requests: 1},
		"nobody answers":                   {nowhere: true, code: 3, says: "base_url"},
		"the window is too small to begin": {serve: []string{"--window", "500"}, code: 3, says: "context", requests: 1},
		"the model only calls what is not": {model: "sim:unknown-tool", code: 1, says: "futile-steps", requests: 25},
	}
	for name, tt := range tests {
		for _, wire := range wires {
			t.Run(name+"/"+string(wire), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, options{wire: wire, model: tt.model, serve: tt.serve})
				if tt.nowhere {
					p.point(closedPort(t))
				}
				r := p.exec()
				if code := r.wait(); code != tt.code || !strings.Contains(r.said(), tt.says) {
					t.Errorf("exit code %d, want %d; it should say %q and says\n%s", code, tt.code, tt.says, r.said())
				}
				if got := len(p.sim.asked()); got != tt.requests {
					t.Errorf("there were %d requests, want %d", got, tt.requests)
				}
				s := p.story()
				if s.ended() != longrein.TurnFailed {
					t.Errorf("the turn is %q", s.ended())
				}
				p.verify(s)
				t.Log(r.said())
			})
		}
	}
}

// closedPort returns an address at which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String() + "/v1"
}
