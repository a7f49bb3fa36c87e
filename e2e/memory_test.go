//go:build unix

package e2e_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
)

// checkForks checks that each fork has one beginning and one end with all that is
// its own between them, and that the notes hold what a summarizer wrote if it
// finished, and nothing of it otherwise.
func (s *story) checkForks() {
	s.t.Helper()
	running, wrote := map[string]bool{}, map[string]bool{}
	for _, r := range s.records {
		switch b := r.Body.(type) {
		case longrein.Beside:
			if !running[b.Fork] {
				s.t.Errorf("record %d is of %s, which does not run", r.Seq, b.Fork)
			}
		case longrein.Notes:
			wrote[b.By] = true
			if b.By != longrein.ByHarness && !running[b.By] {
				s.t.Errorf("record %d has notes by %s", r.Seq, b.By)
			}
		case longrein.Fork:
			s.checkFork(r.Seq, b, running[b.Name()], wrote[b.Name()])
			running[b.Name()] = b.State == longrein.ForkStarted
		}
	}
	for name, is := range running {
		if is {
			s.t.Errorf("%s has no end", name)
		}
	}
}

// checkFork checks one end or beginning of a fork that runs, or not, and has
// written notes, or not.
func (s *story) checkFork(seq int64, f longrein.Fork, runs, wrote bool) {
	s.t.Helper()
	begins := f.State == longrein.ForkStarted || f.State == longrein.ForkSkipped
	if f.State != longrein.ForkStale && begins == runs {
		s.t.Errorf("record %d: %s is %s, and ran before: %t", seq, f.Name(), f.State, runs)
	}
	applied := f.State == longrein.ForkFinished && f.Role == longrein.RoleSummarizer && f.Why != "nothing to add"
	if wrote != applied {
		s.t.Errorf("record %d: %s is %s (%s), and has written notes: %t", seq, f.Name(), f.State, f.Why, wrote)
	}
}

// forkEnds counts forks by how they ended.
func (s *story) forkEnds() map[longrein.ForkState]int {
	ends := map[longrein.ForkState]int{}
	for _, r := range s.records {
		if f, ok := r.Body.(longrein.Fork); ok && f.State != longrein.ForkStarted {
			ends[f.State]++
		}
	}
	return ends
}

// checkNotes checks the forks, and that the notes on disk are those in the log.
func (p *place) checkNotes(s *story) {
	p.t.Helper()
	s.checkForks()
	var notes memory.Notes
	for _, r := range s.records {
		if n, ok := r.Body.(longrein.Notes); ok {
			notes = notes.With(n)
		}
	}
	logged := map[string]string{}
	for _, d := range notes.Documents() {
		logged[d.Name] = d.Text
	}
	if d := cmp.Diff(logged, p.notes(s)); d != "" {
		p.t.Errorf("notes in the log and on disk (-log +disk):\n%s", d)
	}
}

// checkFolder checks that what is on disk of the notes is whole and in the log. It
// may be older than the newest version there.
func (p *place) checkFolder(s *story) {
	p.t.Helper()
	logged := map[string]bool{}
	for _, r := range s.records {
		if n, ok := r.Body.(longrein.Notes); ok {
			for _, d := range n.Changed {
				logged[d.Name+"\n"+d.Text] = true
			}
		}
	}
	for name, text := range p.notes(s) {
		if !logged[name+"\n"+text] {
			p.t.Errorf("%s on disk is no version of the log:\n%s", name, text)
		}
	}
}

// notes returns the documents in the thread's notes folder.
func (p *place) notes(s *story) map[string]string {
	p.t.Helper()
	dir := filepath.Join(p.home, "notes", s.id)
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return files
}
