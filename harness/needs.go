package harness

import (
	"context"
	"os"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/environ"
)

// Need is an environment variable that a skill needs and that is not set.
type Need struct{ Skill, Variable string }

// Needs returns what the skills that an input mentions need and do not have, so that
// it can be asked for before the input is given.
func (h *Harness) Needs(ctx context.Context, input string) ([]Need, error) {
	l := h.lookout(&notebook{}, longrein.Settings{})
	found, err := l.find(ctx, environ.Git(h.opts.Cwd).Root)
	if err != nil {
		return nil, err
	}
	skills, _ := found.Resolve(input)
	var needs []Need
	for _, s := range skills {
		for _, name := range s.Missing(l.variable) {
			needs = append(needs, Need{s.Name, name})
		}
	}
	return needs, nil
}

// Provide sets a variable for this process and the commands of threads that are
// opened from now on. Its value is a secret: it is kept in memory only, and redacted.
func (h *Harness) Provide(name, value string) error {
	if err := os.Setenv(name, value); err != nil {
		return err
	}
	h.opts.Env = append(h.opts.Env, name+"="+value)
	h.provided = append(h.provided, name)
	return nil
}
