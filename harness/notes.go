package harness

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/notes"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/strategy/background"
	"github.com/longrein/longrein/strategy/compact"
	"github.com/longrein/longrein/strategy/pack"
	"github.com/longrein/longrein/strategy/recent"
	"github.com/longrein/longrein/turn"
)

// NotesFolder is where the notes of the thread with that id can be read.
func (h *Harness) NotesFolder(id string) string { return notesFolder(h.store, id) }

func notesFolder(store *rollout.Store, id string) string {
	return filepath.Join(store.Root, "notes", id)
}

// notebook is a thread's notes, in the log and in their folder.
type notebook struct {
	folder notes.Folder
	kept   bool // by the strategy; else there are none

	mu    sync.Mutex
	known memory.Notes
	told  map[string]bool // problems, each once
	level bool            // the folder has been brought to what the log says
}

// place is the notes folder, "" where no notes are kept.
func (n *notebook) place() string {
	if !n.kept {
		return ""
	}
	return n.folder.Dir
}

// Publish brings a version into the folder. One that a user made is there.
func (n *notebook) Publish(v longrein.Notes) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.known = n.known.With(v)
	err := n.folder.Publish(v)
	n.level = n.level && err == nil
	var conflict *notes.ConflictError
	if errors.As(err, &conflict) {
		return nil // the next look finds the edit, and it is recorded then
	}
	return err
}

// Look says what a user made of the notes, after it has put back what is missing.
func (n *notebook) Look() turn.Looked {
	l, _ := n.look()
	return l
}

// isLevel reports whether the folder needs no restoring: that takes a disk longer
// than a new window should.
func (n *notebook) isLevel() bool {
	_, err := os.Stat(n.folder.Dir)
	return n.level && err == nil
}

func (n *notebook) look() (l turn.Looked, todo string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	known := n.known.Documents()
	found, err := n.folder.Look(known)
	if err == nil && len(known) > 0 && !n.isLevel() {
		err = n.folder.Restore(known)
		n.level = err == nil
	}
	l.Edits = found.Edits
	if err != nil {
		found.Problems = append(found.Problems, fmt.Sprintf("the notes can be read in the log only: %v", err))
	}
	for _, p := range found.Problems {
		if !n.told[p] {
			l.Warnings = append(l.Warnings, longrein.Warning{Text: p})
		}
		n.told[p] = true
	}
	return l, found.Todo
}

// Strategies lists the names that the setting strategy may have.
func Strategies() []string { return []string{"background", "compact", "pack", "recent"} }

// remember makes the strategy that a thread works with, and its notes.
func (h *Harness) remember(store *rollout.Store, id string) (longrein.Strategy, *notebook) {
	s := h.opts.Settings
	book := &notebook{folder: notes.Folder{Dir: notesFolder(store, id), Limits: s.Limits}, told: map[string]bool{}}
	switch {
	case h.opts.Strategy != nil:
		own := h.opts.Strategy()
		_, book.kept = own.(longrein.Keeper)
		return own, book
	case s.Strategy == "recent":
		return recent.Strategy{Limits: s.Limits}, book
	}
	book.kept = true
	switch s.Strategy {
	case "compact":
		return compact.New(compact.Options{Limits: s.Limits, Folder: book.folder.Dir}), book
	case "pack":
		return pack.New(pack.Options{Limits: s.Limits, Folder: book.folder.Dir}), book
	}
	return background.New(background.Options{
		Limits: s.Limits, Folder: book.folder.Dir, EveryTurns: s.Memory.Every.Turns,
		Fixed: s.Memory.Policy == config.PolicyFixed, AlwaysDecide: !s.Memory.Stale, IgnoreCache: !s.Memory.Schedule,
		ProbeModel: s.Memory.Probe == config.ProbeModel,
	}), book
}

// learn tells the notebook what a loaded strategy knows.
func (n *notebook) learn(s longrein.Strategy) {
	if k, ok := s.(interface{ Notes() memory.Notes }); ok {
		n.known = k.Notes()
	}
}
