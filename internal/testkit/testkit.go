// Package testkit holds the few helpers that tests of several packages share:
// golden files and numbered records. It is no place for helpers of one package,
// and nothing but tests imports it.
package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

var update = flag.Bool("update", false, "rewrite golden files with what the tests got")

// Golden compares got with testdata/<name>. With -update it writes the file
// instead; the diff is then the review.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (write it with: go test -run '^%s$' -update)", err, t.Name())
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, run with -update:\n%s", file, diff)
	}
}

func write(t testing.TB, file string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Start is when test time begins.
var Start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Records numbers bodies from 1, one second apart from [Start].
func Records(bodies ...longrein.Body) []longrein.Record {
	out := make([]longrein.Record, len(bodies))
	for i, b := range bodies {
		out[i] = longrein.Record{Seq: int64(i + 1), Time: Start.Add(time.Duration(i) * time.Second), Body: b}
	}
	return out
}
