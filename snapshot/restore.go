package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Restored is what a restore did.
type Restored struct {
	Changed []longrein.FileChange // sorted by path
	// Skipped are what force did not overwrite either.
	Skipped []Conflict
}

// ConflictError means that nothing was put back, because files changed since.
type ConflictError struct {
	Conflicts []Conflict
	shown     int // how many the text names
}

// Error names the first of the files, and says what is the matter with each.
func (e *ConflictError) Error() string {
	var names []string
	for _, c := range e.Conflicts {
		names = append(names, fmt.Sprintf("%s (%s)", printable(c.Path), c.What))
	}
	return "nothing was put back, because it would overwrite " + listed(names, e.shown)
}

// Restore does what a plan says. It looks at the files once more; unless force is
// set, conflicts are a [*ConflictError] and nothing is done. Each file is replaced
// at once, and only by a content that was checked. When something fails half-way,
// Restored says what was done until then; the same plan, carried out again, does
// the rest.
//
// Take a snapshot first: it holds what is replaced here.
func (s *Store) Restore(ctx context.Context, p Plan, force bool) (Restored, error) {
	s, unlock, err := s.locked(ctx)
	if err != nil {
		return Restored{}, err
	}
	defer unlock()
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return Restored{}, err
	}
	defer root.Close()
	t, err := s.against(ctx, root, p.steps)
	if err != nil {
		return Restored{}, err
	}
	if len(t.conflicts) > 0 && !force {
		return Restored{}, &ConflictError{t.conflicts, s.limits.Int(limit.SnapshotShown)}
	}
	r := restore{root: root}
	err = r.all(ctx, s, append(t.free, t.forced...))
	sortChanges(r.done)
	out := Restored{Changed: r.done}
	for _, c := range t.conflicts {
		if c.Fixed {
			out.Skipped = append(out.Skipped, c)
		}
	}
	if err != nil {
		err = fmt.Errorf("put files back in %s: %w", s.root, err)
	}
	return out, err
}

// restore is a restore under way.
type restore struct {
	root *os.Root
	done []longrein.FileChange
}

// all removes first, the innermost first, so that nothing is in the way of what is
// written then.
func (r *restore) all(ctx context.Context, s *Store, moves []move) error {
	var writes []move
	slices.SortFunc(moves, func(a, b move) int { return strings.Compare(a.path, b.path) })
	for _, m := range slices.Backward(moves) {
		if m.target != (entry{}) {
			writes = append(writes, m)
			continue
		}
		if err := r.remove(m); err != nil {
			return err
		}
	}
	slices.Reverse(writes)
	return s.read(ctx, writes, r.write)
}

// remove removes a file, and the folders that have nothing left in them.
func (r *restore) remove(m move) error {
	if err := r.root.Remove(m.path); err != nil && !missing(err) {
		return err
	}
	r.done = append(r.done, m.change())
	for dir := path.Dir(m.path); dir != "."; dir = path.Dir(dir) {
		if r.root.Remove(dir) != nil {
			break // it is not empty
		}
	}
	return nil
}

// errDamaged means that the store no longer has what it kept.
var errDamaged = errors.New("the stored content is damaged")

func sortChanges(all []longrein.FileChange) {
	slices.SortFunc(all, func(a, b longrein.FileChange) int { return strings.Compare(a.Path, b.Path) })
}
