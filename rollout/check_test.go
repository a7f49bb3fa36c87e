package rollout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// findings checks the threads, all of them when none is given.
func findings(tb testing.TB, s *Store, ids ...string) (all []Finding) {
	tb.Helper()
	for f, err := range s.Check(context.Background(), ids...) {
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

func TestASoundStoreHasNothingWrong(t *testing.T) {
	s := store(t)
	parent, _, _ := sample(t, s)
	l, _ := fork(t, s, parent, 4)
	full := blob(t, s, 1)
	put(t, l, item(1, longrein.ToolOutput{CallID: "c", Full: &full}), said(strings.Repeat("z", 100_000)))
	l.Close()
	remove(t, s, parent)
	if got := findings(t, s); len(got) > 0 {
		t.Errorf("found %v", got)
	}
}

func TestCheckNamesWhatIsWrongAndWhere(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(s *Store, path string, raw []byte) error
		line  int64
		want  string
	}{
		"a damaged byte": {
			func(_ *Store, path string, raw []byte) error {
				return os.WriteFile(path, bytes.Replace(raw, []byte("hello"), []byte("hallo"), 1), 0o600)
			}, 2, "checksum",
		},
		"a line that is missing": {
			func(_ *Store, path string, raw []byte) error {
				lines := bytes.SplitAfter(raw, []byte("\n"))
				return os.WriteFile(path, seal(bytes.Join(append(lines[:5:5], lines[6:]...), nil)), 0o600)
			}, 6, "it has the number 7, and 6 to 6 are missing",
		},
		"a line that is there twice": {
			func(_ *Store, path string, raw []byte) error {
				lines := bytes.SplitAfter(raw, []byte("\n"))
				return os.WriteFile(path, seal(bytes.Join([][]byte{lines[0], lines[1], lines[1]}, nil)), 0o600)
			}, 3, "it has the number 2, which is no higher",
		},
		"a damaged blob": {
			func(s *Store, _ string, raw []byte) error {
				all, _ := s.listBlobs()
				return os.WriteFile(all[0].path, []byte("x"), 0o600)
			}, 9, "blob",
		},
		"a missing blob": {
			func(s *Store, _ string, raw []byte) error {
				all, _ := s.listBlobs()
				return os.Remove(all[0].path)
			}, 9, "no such file",
		},
		"a blob of another size": {
			func(_ *Store, path string, raw []byte) error {
				return os.WriteFile(path, seal(bytes.ReplaceAll(raw, []byte(`"bytes":2000}`), []byte(`"bytes":2001}`))), 0o600)
			}, 9, "2001 bytes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := store(t)
			id, path, _ := sample(t, s)
			full := blob(t, s, 1)
			l, _ := reopen(t, s, id)
			put(t, l, item(1, longrein.ToolOutput{CallID: "c", Full: &full}))
			l.Close()
			raw, _ := os.ReadFile(path)
			if err := c.spoil(s, path, raw); err != nil {
				t.Fatal(err)
			}
			got := findings(t, s, id)
			if len(got) != 1 || got[0].Line != c.line || !strings.Contains(got[0].String(), c.want) || got[0].Path != path {
				t.Fatalf("found %v, want line %d and %q", got, c.line, c.want)
			}
			raw, _ = os.ReadFile(path)
			if at := raw[got[0].Offset:]; got[0].Blob == "" && !bytes.HasPrefix(at, lineStart) || int64(len(at)) < got[0].Bytes {
				t.Errorf("byte %d begins no line", got[0].Offset)
			}
		})
	}
}

func TestCheckReadsWhatIsKeptOfARemovedParentOnce(t *testing.T) {
	s := store(t)
	parent, path, _ := sample(t, s)
	for range 2 {
		l, _ := fork(t, s, parent, 6)
		l.Close()
	}
	remove(t, s, parent)
	raw, _ := os.ReadFile(keptPath(path))
	if err := os.WriteFile(keptPath(path), bytes.Replace(raw, []byte("hello"), []byte("hallo"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := findings(t, s); len(got) != 1 || got[0].Path != keptPath(path) || got[0].Line != 2 {
		t.Errorf("found %v, want line 2 of what is kept", got)
	}
	if err := os.Remove(keptPath(path)); err != nil {
		t.Fatal(err)
	}
	if got := findings(t, s); len(got) != 2 || !strings.Contains(got[0].What, parent) {
		t.Errorf("found %v, want that both forks miss thread %s", got, parent)
	}
}

func TestCheckOfAThreadThatIsNotThereIsAnError(t *testing.T) {
	s := store(t)
	id, _, _ := sample(t, s)
	var seen []string
	for f, err := range s.Check(context.Background(), newID(), id) {
		seen = append(seen, fmt.Sprint(errors.Is(err, fs.ErrNotExist), f.What))
	}
	if len(seen) != 1 || seen[0] != "true" {
		t.Errorf("got %q, want one error", seen)
	}
}
