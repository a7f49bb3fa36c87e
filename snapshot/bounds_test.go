package snapshot

import (
	"errors"
	"strings"
	"testing"

	"github.com/longrein/longrein/limit"
)

func TestALongDifferenceIsCutAtALine(t *testing.T) {
	s := opened(t, map[string]string{"a": strings.Repeat("old line\n", 50)}, limit.Set{limit.SnapshotDiff.Name: 200})
	was := take(t, s)
	put(t, s.root, map[string]string{"a": strings.Repeat("new line\n", 50)})
	text, cut, err := s.Diff(t.Context(), was.Tree, take(t, s).Tree)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 200 || !strings.HasSuffix(text, "\n") || cut == nil || cut.Name != limit.SnapshotDiff.Name || cut.Cut < 500 {
		t.Errorf("%d bytes, cut %+v", len(text), cut)
	}
}

func TestOnlySoManyLargeFilesAreNamed(t *testing.T) {
	s := opened(t, map[string]string{"a": "123", "b": "123", "c": "123"}, limit.Set{limit.SnapshotFile.Name: 2, limit.SnapshotShown.Name: 1})
	hits := take(t, s).Hits
	if len(hits) != 1 || !strings.Contains(hits[0].What, "a and 2 more") || hits[0].Cut != 9 {
		t.Errorf("hits %+v", hits)
	}
}

func TestASnapshotThatTakesTooLongIsRefused(t *testing.T) {
	s := opened(t, map[string]string{"a": "1"}, nil)
	s.limits = limit.Set{limit.SnapshotTime.Name: 0}
	var refused *RefusedError
	if _, err := s.Take(t.Context(), "t"); !errors.As(err, &refused) || refused.Hit.Name != limit.SnapshotTime.Name {
		t.Errorf("got error %v", err)
	}
}
