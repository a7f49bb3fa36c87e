package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/rollout"
)

// ErrNamesakes says that several threads have the name.
type ErrNamesakes struct {
	Name    string
	Threads []index.Entry // the newest first, at most as many as the limit id-candidates allows
	More    bool          // there are others
}

// Error lists the threads.
func (e *ErrNamesakes) Error() string {
	var ids []string
	for _, t := range e.Threads {
		ids = append(ids, t.ID)
	}
	more := ""
	if e.More {
		more = " and others"
	}
	return fmt.Sprintf("%q is the name of several threads: %s%s; give the id of one", e.Name, strings.Join(ids, ", "), more)
}

// Find returns the id of the thread that ref names: a whole id, the beginning of
// one, or a name in any case. Threads in the archive count only where no other has
// the name; several with it are an [*ErrNamesakes]. With an empty ref it is the
// thread that was worked on last, in folder if there is one there.
func (h *Harness) Find(ctx context.Context, ref, folder string) (string, error) {
	if ref == "" {
		return h.last(ctx, folder)
	}
	id, err := h.store.Find(ref)
	if err == nil {
		return id, nil
	}
	named, nameErr := h.named(ctx, ref)
	switch {
	case nameErr != nil:
		return "", nameErr
	case named != "":
		return named, nil
	case errors.Is(err, fs.ErrNotExist) || errors.As(err, new(*rollout.ErrAmbiguous)):
		return "", err
	}
	return "", missing(fmt.Sprintf("there is no thread with the id or the name %q; longrein threads shows those there are", ref))
}

// named returns the thread with a name, "" if there is none.
func (h *Harness) named(ctx context.Context, name string) (string, error) {
	most := h.opts.Settings.Limits.Int(limit.Candidates)
	for _, archived := range []bool{false, true} {
		found, err := h.List(ctx, index.Query{Name: name, Archived: archived, Limit: most + 1})
		switch {
		case err != nil:
			return "", err
		case len(found) == 1:
			return found[0].ID, nil
		case len(found) > 1:
			return "", &ErrNamesakes{name, found[:min(len(found), most)], len(found) > most}
		}
	}
	return "", nil
}

// last returns the thread that was worked on last.
func (h *Harness) last(ctx context.Context, folder string) (string, error) {
	for _, q := range []index.Query{{Cwd: folder, Limit: 1}, {Limit: 1}} {
		entries, err := h.List(ctx, q)
		if err != nil {
			return "", err
		}
		if len(entries) > 0 {
			return entries[0].ID, nil
		}
	}
	return "", missing("there are no threads in " + h.store.Root + " yet")
}

// missing is an [fs.ErrNotExist] in a person's words.
type missing string

// Error is the words.
func (m missing) Error() string { return string(m) }

// Is has it pass for [fs.ErrNotExist].
func (missing) Is(err error) bool { return err == fs.ErrNotExist }
