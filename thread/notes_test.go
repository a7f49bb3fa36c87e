package thread

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/turn"
)

// shelf is where notes are published; it fails when told to.
type shelf struct {
	mu    sync.Mutex
	known memory.Notes
	fail  error
	edit  []longrein.Document
}

func (s *shelf) Publish(n longrein.Notes) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = s.known.With(n)
	return s.fail
}

func (s *shelf) Look() turn.Looked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return turn.Looked{Edits: s.edit}
}

// A user's edit of the notes, found when a summary is about to count, wins and is
// recorded; that a folder cannot be written is a warning.
func TestAnEditOfTheNotesMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := remembers(t, newCast(), nil)
		defer r.Close()
		s := &shelf{fail: errors.New("the disk is full"), edit: []longrein.Document{{Name: longrein.MainDocument, Text: "mine"}}}
		r.opts.Notes = s
		r.goes(t)
		time.Sleep(time.Second) // what is shelved is published
		if f := r.ends()["summarizer-1"]; f.State != longrein.ForkFailed || !strings.Contains(f.Why, "the user changed MAIN.md") {
			t.Errorf("the summarizer ended with %+v", f)
		}
		if n := last[longrein.Notes](t, r.log); n.By != longrein.ByUser {
			t.Errorf("the newest version is by %s", n.By)
		}
		if d, _ := s.known.Get(longrein.MainDocument); d.Text != "mine" {
			t.Errorf("MAIN.md says %q", d.Text)
		}
		if w := last[longrein.Warning](t, r.log); !strings.Contains(w.Text, "the disk is full") {
			t.Errorf("the warning is %q", w.Text)
		}
	})
}

// dead is a notes folder on a file system that does not answer.
type dead struct{ shelf }

func (*dead) Look() turn.Looked {
	time.Sleep(time.Hour)
	return turn.Looked{}
}

func TestANotesFolderThatHangsIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := remembers(t, newCast(), nil)
		defer time.Sleep(time.Hour) // the folder's goroutine ends some time
		defer r.Close()
		r.opts.Notes = &dead{}
		r.goes(t)
		time.Sleep(time.Minute)
		if f := r.ends()["summarizer-1"]; f.State != longrein.ForkFailed || !strings.Contains(f.Why, "did not answer") {
			t.Errorf("the summarizer ended with %+v", f)
		}
	})
}
