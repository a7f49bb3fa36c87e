package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// Span is what something did to the folder, a turn for one: the snapshots before
// and after it.
type Span struct{ Before, After string }

// Plan is what has to change for spans to be taken back.
type Plan struct {
	// Changes are what a restore does, sorted by path; what stands as it should is
	// not among them. Those that are also in Conflicts need force.
	Changes []longrein.FileChange
	// Conflicts are files that somebody else changed since, sorted by path.
	Conflicts []Conflict
	// Left are files that the spans brought and that stay, because the snapshot
	// before them did not look there.
	Left []LeftOut

	steps []step
}

// Conflict is a file that does not stand as it was left.
type Conflict struct {
	Path string // slash-separated, relative to the root
	What string // what is the matter, such as "changed since"
	// Fixed conflicts stay also with force: a restore would have to remove
	// something that no snapshot holds.
	Fixed bool
}

// step is one file on its way back.
type step struct {
	path     string
	expected entry // as the newest span left it
	target   entry // as it was before the oldest
	edited   bool  // somebody changed it between two spans
}

// Plan says what has to change in the folder for spans to be taken back, the
// oldest first; it changes nothing. A file that no span changed is never part of
// it. One that changed since the newest span that touched it, or between two of
// them, is a conflict. A span can be taken back again with Before and After the
// other way round.
func (s *Store) Plan(ctx context.Context, spans ...Span) (Plan, error) {
	p, err := s.plan(ctx, spans)
	if err != nil {
		return Plan{}, fmt.Errorf("plan what to put back in %s: %w", s.root, err)
	}
	return p, nil
}

func (s *Store) plan(ctx context.Context, spans []Span) (Plan, error) {
	if !s.exists() {
		return Plan{}, errNone
	}
	s, unlock, err := s.locked(ctx)
	if err != nil {
		return Plan{}, err
	}
	defer unlock()
	steps, left := map[string]step{}, leftOuts{}
	for _, span := range spans {
		if err := s.takeBack(ctx, span, steps, left); err != nil {
			return Plan{}, err
		}
	}
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return Plan{}, err
	}
	defer root.Close()
	p := Plan{Left: left.sorted()}
	for _, path := range slices.Sorted(maps.Keys(steps)) {
		p.steps = append(p.steps, steps[path])
	}
	todo, err := s.against(ctx, root, p.steps)
	p.Changes, p.Conflicts = todo.changes(), todo.conflicts
	return p, err
}

// errNone means that there is no store yet, or no longer.
var errNone = errors.New("there are no snapshots")

// takeBack adds what a span did, which is newer than those before it, to steps.
func (s *Store) takeBack(ctx context.Context, span Span, steps map[string]step, left leftOuts) error {
	for _, tree := range []string{span.Before, span.After} {
		if err := checkTree(tree); err != nil {
			return err
		}
	}
	all, err := s.changes(ctx, span.Before, span.After)
	if err != nil {
		return cmp.Or(s.absent(ctx, span), err)
	}
	if len(all) == 0 {
		return nil
	}
	stays, err := s.stays(ctx, span.Before, all)
	if err != nil {
		return err
	}
	for _, c := range all {
		st, known := steps[c.path]
		if o, ok := stays[c.path]; ok && !known {
			left[c.path] = o
			continue
		}
		if !known {
			st = step{path: c.path, target: c.from}
		}
		st.edited = st.edited || known && st.expected != c.from
		st.expected = c.to
		steps[c.path] = st
	}
	return nil
}

// absent says which end of a span is not in the store: its thread comes from another
// machine, say. It is nil when both are.
func (s *Store) absent(ctx context.Context, span Span) error {
	for _, tree := range []string{span.Before, span.After} {
		var failed *gitError
		if err := s.git.run(ctx, nil, nil, "cat-file", "-e", tree); errors.As(err, &failed) {
			return fmt.Errorf("the snapshot %s is not here", tree)
		}
	}
	return nil
}

// Ignored is the reason why a file stays that was ignored before the turn and is
// no longer.
const Ignored Reason = "ignored before"

// stays returns the files that a span brought into the snapshots, but perhaps not
// into the folder: the snapshot before it did not look where they are.
func (s *Store) stays(ctx context.Context, before string, all []change) (leftOuts, error) {
	left, err := s.leftOut(ctx, before)
	if err != nil {
		return nil, err
	}
	stays := leftOuts{}
	var fresh []string
	rules := false
	for _, c := range all {
		rules = rules || c.path == ignoreFile || strings.HasSuffix(c.path, "/"+ignoreFile)
		if c.from != (entry{}) {
			continue
		}
		if o, ok := left.holds(c.path); ok {
			stays[c.path] = LeftOut{Path: c.path, Why: o.Why}
		} else {
			fresh = append(fresh, c.path)
		}
	}
	if !rules || len(fresh) == 0 {
		return stays, nil
	}
	ignored, err := s.ignoredIn(ctx, before, fresh)
	for _, path := range ignored {
		stays[path] = LeftOut{Path: path, Why: Ignored}
	}
	return stays, err
}
