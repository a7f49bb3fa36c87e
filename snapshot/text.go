package snapshot

import (
	"context"
	"fmt"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// printable quotes a path that would not show as it is.
func printable(path string) string {
	if q := fmt.Sprintf("%q", path); q != `"`+path+`"` {
		return q
	}
	return path
}

// Diff returns how the files of two snapshots differ, as a unified diff. What goes
// beyond the limit snapshot-diff is cut at a line end, and cut is the record of it.
func (s *Store) Diff(ctx context.Context, from, to string) (text string, cut *longrein.LimitHit, err error) {
	for _, tree := range []string{from, to} {
		if err := checkTree(tree); err != nil {
			return "", nil, err
		}
	}
	most := s.limits.Int(limit.SnapshotDiff)
	out := &start{room: most}
	counted := &counter{to: out}
	err = s.git.run(ctx, nil, counted, "diff-tree", "-r", "-p", "--no-color", "--no-ext-diff", "--no-textconv", "-M", from+":"+filesPart, to+":"+filesPart)
	if err != nil {
		return "", nil, fmt.Errorf("compare snapshots of %s: %w", s.root, err)
	}
	text = out.String()
	if counted.n > int64(most) {
		text = text[:strings.LastIndexByte(text, '\n')+1]
		hit := s.limits.Hit(limit.SnapshotDiff, "differences between two snapshots", counted.n-int64(len(text)), "")
		cut = &hit
	}
	return text, cut, nil
}

// counter counts what is written.
type counter struct {
	to *start
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.to.Write(p)
}
