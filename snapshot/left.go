package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// LeftOut is something that git would track and that a snapshot does not hold.
// Nothing in its place, or below it, is ever removed for that snapshot's sake.
type LeftOut struct {
	Path  string // slash-separated, relative to the root
	Why   Reason
	Bytes int64 // its size, for TooLarge
}

// Reason is why something is left out.
type Reason string

// The reasons: a file is larger than the limit snapshot-file allows, a folder is a
// repository of its own, something cannot be read, or it is neither a file nor a
// link.
const (
	TooLarge   Reason = "too large"
	Repository Reason = "repository"
	Unreadable Reason = "unreadable"
	Special    Reason = "special"
)

// leftOuts are by path.
type leftOuts map[string]LeftOut

func (l leftOuts) sorted() []LeftOut {
	return slices.SortedFunc(maps.Values(l), func(a, b LeftOut) int { return strings.Compare(a.Path, b.Path) })
}

// encode writes what a snapshot holds of it. Sizes are not part: a log that grows
// would make each snapshot another.
func (l leftOuts) encode() string {
	var b strings.Builder
	for _, o := range l.sorted() {
		b.WriteString(string(o.Why) + "\x00" + o.Path + "\x00")
	}
	return b.String()
}

func decodeLeftOuts(text string) leftOuts {
	l := leftOuts{}
	for fields := strings.Split(text, "\x00"); len(fields) > 2; fields = fields[2:] {
		l[fields[1]] = LeftOut{Path: fields[1], Why: Reason(fields[0])}
	}
	return l
}

func (l leftOuts) sum() string {
	sum := sha256.Sum256([]byte(l.encode()))
	return hex.EncodeToString(sum[:])
}

// holds returns what is left out in the place of a path, or around it.
func (l leftOuts) holds(path string) (LeftOut, bool) {
	for {
		if o, ok := l[path]; ok {
			return o, true
		}
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return LeftOut{}, false
		}
		path = path[:i]
	}
}

// hits names the files that a limit left out.
func (l leftOuts) hits(set limit.Set) []longrein.LimitHit {
	var names []string
	size := int64(0)
	for _, o := range l.sorted() {
		if o.Why == TooLarge {
			names, size = append(names, o.Path), size+o.Bytes
		}
	}
	if len(names) == 0 {
		return nil
	}
	what := "left out of the snapshot, and so of undo: " + listed(names, set.Int(limit.SnapshotShown))
	return []longrein.LimitHit{set.Hit(limit.SnapshotFile, what, size, "")}
}

// listed joins the first of the names and counts the others.
func listed(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
