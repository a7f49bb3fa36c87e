package rollout

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
)

func TestRemove(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	id := uuid.Must(uuid.NewV7()).String()
	log, err := s.Create(id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(time.Now(), true, longrein.Thread{ID: id, Format: longrein.LogFormat}); err != nil {
		t.Fatal(err)
	}
	if !s.Busy(id) {
		t.Error("a log that is written to is not busy")
	}
	quick := &Store{Root: s.Root, Limits: map[string]int64{"lock-tries": 1}}
	if locked := new(ErrLocked); !errors.As(quick.Remove(id), &locked) {
		t.Error("a log that is written to was removed")
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if s.Busy(id) {
		t.Error("a closed log is busy")
	}
	if err := os.WriteFile(log.Path()+".torn-x", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(id); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(id); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the second time: %v, want that it does not exist", err)
	}
	left, err := os.ReadDir(filepath.Dir(log.Path()))
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}
