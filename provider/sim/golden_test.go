package sim

import (
	"encoding/json"
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

var update = flag.Bool("update", false, "write the golden files")

// The golden files hold what goes over the wire, streamed and whole.
func TestAnswersOnTheWire(t *testing.T) {
	models := map[string]string{"calls": "sim:test", "refusal": "sim:refuse", "answer": "sim:echo"}
	now := func() time.Time { return time.Unix(1_800_000_000, 0) }
	for name, model := range models {
		for _, wire := range talk.Wires {
			t.Run(name+" on "+string(wire), func(t *testing.T) {
				srv := httptest.NewServer(New(Options{Script: mustParse(t, everything(t)), Now: now}).Handler())
				defer srv.Close()
				c := talk.New(wire, model, "go")
				_, stream, err := post(t, srv.URL, wire, c.Body(true))
				if err != nil {
					t.Fatal(err)
				}
				_, whole, err := post(t, srv.URL, wire, c.Body(false))
				if err != nil || !json.Valid([]byte(whole)) {
					t.Fatalf("not JSON: %v %s", err, whole)
				}
				golden(t, string(wire)+"-"+name+".txt", stream+"\n# whole\n"+whole+"\n")
				checkEvents(t, wire, stream)
			})
		}
	}
}

// checkEvents looks at each event as a strict client would.
func checkEvents(t *testing.T, wire longrein.Wire, stream string) {
	t.Helper()
	name := ""
	for line := range strings.Lines(stream) {
		line = strings.TrimSuffix(line, "\n")
		if after, ok := strings.CutPrefix(line, "event: "); ok {
			name = after
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || data == "[DONE]" && wire == longrein.WireChat {
			continue
		}
		var e struct{ Type string }
		if err := json.Unmarshal([]byte(data), &e); err != nil || e.Type != name {
			t.Errorf("event %q has type %q, %v: %s", name, e.Type, err, data)
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got, -update rewrites it):\n%s", path, d)
	}
}
