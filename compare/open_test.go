package compare

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
)

func TestLinesThatAnotherToolLostAreCounted(t *testing.T) {
	const lines = `{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"go"}}
{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","message":{"role":"assistant","content":[{"type":"tex
{"type":"assistant","uuid":"3","parentUuid":"1","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}
`
	path := filepath.Join(t.TempDir(), "broken.jsonl")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := File(&rollout.Store{}, path)
	if err != nil {
		t.Fatal(err)
	}
	s := all[0]
	if s.Unread != 1 || len(s.Damaged) != 1 || !strings.Contains(s.Damaged[0].Error(), "line 2") {
		t.Errorf("%d unread: %v", s.Unread, s.Damaged)
	}
}

func TestDamageIsCountedAndKeptInPart(t *testing.T) {
	const lost = 5_000
	script := long(3, 100)
	s, err := Read("damaged", func(yield func(longrein.Record, error) bool) {
		for range lost {
			if !yield(longrein.Record{}, errors.New("its checksum is wrong")) {
				return
			}
		}
		script.all()(yield)
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.Unread != lost || len(s.Damaged) >= lost {
		t.Errorf("%d unread, %d of them kept", s.Unread, len(s.Damaged))
	}
}
