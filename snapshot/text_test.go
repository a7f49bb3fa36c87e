package snapshot

import (
	"strings"
	"testing"

	"github.com/longrein/longrein/limit"
)

func TestDiff(t *testing.T) {
	s := opened(t, map[string]string{"a": "one\n", "b": "same\n", ".gitattributes": "* diff=x\n"}, nil)
	was := take(t, s)
	put(t, s.root, map[string]string{"a": "two\n"})
	is := take(t, s)
	text, cut, err := s.Diff(t.Context(), was.Tree, is.Tree)
	if err != nil || cut != nil || !strings.HasSuffix(text, "@@ -1 +1 @@\n-one\n+two\n") || strings.Contains(text, "same") {
		t.Errorf("got %q, %v, %v", text, cut, err)
	}
	s.limits = limit.Set{limit.SnapshotDiff.Name: 30}
	short, cut, err := s.Diff(t.Context(), was.Tree, is.Tree)
	if err != nil || short != "diff --git a/a b/a\n" || cut == nil || cut.Cut != int64(len(text)-len(short)) {
		t.Errorf("got %q, %+v, %v", short, cut, err)
	}
}
