package rollout

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/longrein/longrein"
)

// TestAYearsStoreTakesAtMost1Point3TimesItsUniqueContent plays the threads of a
// year in one project: they read the same files, a few of which change between two
// threads, have outputs of their own, are forked and removed, and space is given
// back. A file that many threads read counts once.
func TestAYearsStoreTakesAtMost1Point3TimesItsUniqueContent(t *testing.T) {
	s := store(t)
	s.Disk = &faults{}
	s.Limits["collect-grace"] = 0
	r := rand.New(rand.NewPCG(7, 8))
	u := unique{seen: map[string]bool{}}
	files, images := make([]string, 200), pictures(r, 3, 100_000)
	for i := range files {
		files[i] = sourceFile(r)
	}
	var ids []string
	for range 40 {
		for range 6 {
			files[r.IntN(len(files))] = sourceFile(r)
		}
		l, id := begin(t, s)
		ids = append(ids, id)
		session(t, l, r, &u, files, images)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		parent := ids[r.IntN(len(ids))]
		tail, err := s.Tail(parent)
		if err != nil {
			t.Fatal(err)
		}
		l, id := fork(t, s, parent, 1+r.Int64N(tail.LastSeq))
		ids = append(ids, id)
		session(t, l, r, &u, files, images)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Collect(context.Background(), CollectOptions{}); err != nil {
		t.Fatal(err)
	}
	size := folderSize(t, s.Root)
	ratio := float64(size) / float64(u.bytes)
	t.Logf("%d bytes on disk for %d bytes of content: %.2f", size, u.bytes, ratio)
	if ratio > 1.3 {
		t.Errorf("the ratio is %.2f, want at most 1.3", ratio)
	}
}

// sourceFile is a file whose size is that of one in a project: half are under 4 KB, and
// most of what is read is in longer ones.
func sourceFile(r *rand.Rand) string {
	return prose(r, int(500*math.Exp(2+r.NormFloat64())))
}

// session plays a thread's work.
func session(t *testing.T, l *Log, r *rand.Rand, u *unique, files, images []string) {
	t.Helper()
	var window []longrein.Entry
	for n := range 3 {
		for range 50 {
			it := content(r, u, files, images)
			window = append(window, longrein.Entry{Step: int64(n + 1), Item: it})
			if out, ok := it.(longrein.ToolOutput); ok {
				put(t, l, longrein.ToolRun{CallID: out.CallID, State: longrein.ToolFinished, Output: &out})
			}
			put(t, l, longrein.Appended{Entry: window[len(window)-1]})
		}
		window = window[len(window)/3:]
		put(t, l, longrein.Window{N: n + 1, Why: "full", Head: window, Settings: tools(u)})
	}
}
