package rollout

import (
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

func TestMain(m *testing.M) {
	if id := os.Getenv("ROLLOUT_TEST_HOLD"); id != "" {
		hold(os.Getenv("ROLLOUT_TEST_ROOT"), id)
		return
	}
	goleak.VerifyTestMain(m)
}

// noon is when the tests' records are written.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// store returns an empty store that does not wait long for a lock.
func store(tb testing.TB) *Store {
	tb.Helper()
	return &Store{Root: tb.TempDir(), Limits: limit.Set{"lock-tries": 2, "lock-pause": 1}}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// thread is the first record of a thread.
func thread(id string) longrein.Thread {
	return longrein.Thread{ID: id, Cwd: "/src", Version: "1.0", Format: longrein.LogFormat, Model: "m"}
}

// begin creates a log that holds its thread record.
func begin(tb testing.TB, s *Store) (*Log, string) {
	tb.Helper()
	id := newID()
	l, err := s.Create(id)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.Close() })
	put(tb, l, thread(id))
	return l, id
}

// put appends bodies durably.
func put(tb testing.TB, l *Log, bodies ...longrein.Body) []longrein.Record {
	tb.Helper()
	records, err := l.Append(noon, true, bodies...)
	if err != nil {
		tb.Fatal(err)
	}
	return records
}

func reopen(tb testing.TB, s *Store, id string) (*Log, *Tail) {
	tb.Helper()
	l, t, err := s.Open(id)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.Close() })
	return l, t
}

// readAll reads a log that is whole.
func readAll(tb testing.TB, s *Store, id string) []longrein.Record {
	tb.Helper()
	var all []longrein.Record
	for r, err := range s.Read(id) {
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func item(step int64, it longrein.Item) longrein.Appended {
	return longrein.Appended{Entry: longrein.Entry{Step: step, Item: it}}
}

func said(text string) longrein.Appended {
	return item(0, longrein.Message{Role: longrein.RoleUser, Text: text})
}
