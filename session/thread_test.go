package session_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/session"
	"github.com/longrein/longrein/turn"
)

// A session becomes a thread: its records go into a log, come back the same, and
// a machine that loads them rests and can make the next request.
func TestASessionBecomesAThread(t *testing.T) {
	for name := range samples {
		for _, s := range read(t, sample(t, name)).Sessions {
			t.Run(name+" "+s.ID+s.Agent, func(t *testing.T) {
				store := &rollout.Store{Root: t.TempDir()}
				id := uuid.Must(uuid.NewV7()).String()
				logged(t, store, id, s)
				load(t, store, id)
			})
		}
	}
}

func logged(t *testing.T, store *rollout.Store, id string, s *session.Session) {
	t.Helper()
	log, err := store.Create(id)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for r := range s.Records(id) {
		got, err := log.Append(r.Time, false, r.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Seq != r.Seq || !got[0].Time.Equal(r.Time) {
			t.Fatalf("record %d at %v is %d at %v in the log", r.Seq, r.Time, got[0].Seq, got[0].Time)
		}
	}
}

func load(t *testing.T, store *rollout.Store, id string) {
	t.Helper()
	tail, err := store.Tail(id)
	if err != nil || len(tail.Warnings) > 0 {
		t.Fatal(err, tail.Warnings)
	}
	m := turn.New(turn.Options{})
	if err := m.Load(append([]longrein.Record{{Seq: 1, Time: time.Unix(0, 0), Body: tail.Thread}}, tail.Records...)...); err != nil {
		t.Fatal(err)
	}
	if m.Running() {
		t.Error("the thread would go on by itself")
	}
	if _, _, err := m.State().Request(); err != nil {
		t.Error(err)
	}
}
