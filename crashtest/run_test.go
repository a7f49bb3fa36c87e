package crashtest

import (
	"context"
	"flag"
	"testing"
)

var (
	points = flag.Int64("points", 4000, "crash points to try at least")
	seed   = flag.Int64("seed", 1, "of the first life")
)

func TestNothingIsLostInAnyCrash(t *testing.T) {
	counts, err := Run(context.Background(), Options{Seed: *seed, Points: *points})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", counts)
}
