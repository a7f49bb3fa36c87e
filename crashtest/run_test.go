package crashtest

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	points = flag.Int64("points", 4000, "crash points to try at least")
	seed   = flag.Int64("seed", 1, "the first life")
)

func TestNothingIsLostInAnyCrash(t *testing.T) {
	if testing.Short() {
		*points = min(*points, 500)
	}
	counts, err := Run(context.Background(), Options{Seed: *seed, Points: *points})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", counts)
	if counts.Kills == 0 || counts.PowerCuts == 0 || counts.Nested == 0 || counts.Damages == 0 {
		t.Error("something was never tried")
	}
}

func TestTheSameSeedTakesTheSameCourse(t *testing.T) {
	course := func() ([]string, Counts) {
		l := newLife(42)
		l.most = 300
		if err := l.live(); err != nil {
			t.Fatal(err)
		}
		return l.steps, l.count
	}
	steps, counts := course()
	again, countsAgain := course()
	if diff := cmp.Diff(steps, again); diff != "" || counts != countsAgain {
		t.Errorf("%+v and %+v, steps:\n%s", counts, countsAgain, diff)
	}
}

// A short log is damaged at each of its bytes.
func TestEveryDamagedByteIsFoundAndCostsNoOtherRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of logs are read")
	}
	l := newLife(2)
	l.most = 60
	if err := l.live(); err != nil {
		t.Fatal(err)
	}
	w := l.workers[0]
	size, err := l.size(w)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d records", size, len(w.records))
	for at := range min(size, 6000) {
		r := rand.New(rand.NewPCG(1, uint64(at)))
		if err := l.damage(w, at, byte(1+r.IntN(255)), r); err != nil {
			t.Fatal(err)
		}
	}
}

// What must not happen is found: a log that never syncs loses what it acknowledged,
// and the failure says how to see that again.
func TestADiskThatLiesIsFoundOut(t *testing.T) {
	l := newLife(5)
	honest := l.disk.Watch
	l.disk.Watch = func(op Op) Fault {
		f := honest(op)
		if op.Kind == OpSync && op.file != nil {
			op.file.since, op.file.apart = nil, true // it says that it is done
		}
		return f
	}
	err := l.live()
	if err == nil || !strings.Contains(err.Error(), "acknowledged") {
		t.Fatalf("a disk that syncs nothing gives %v", err)
	}
	var f error = l.failure(err)
	if text := f.Error(); !strings.Contains(text, "longrein crashtest --seed 5") || !strings.Contains(text, "begins with") {
		t.Errorf("the failure says %s", text)
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	counts, err := Run(ctx, Options{Seed: 1, Points: 1 << 40})
	if !errors.Is(err, context.Canceled) || counts.Points != 0 {
		t.Errorf("%+v, %v", counts, err)
	}
}
