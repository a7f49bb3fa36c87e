package environ

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Options says where to look and what to say of the settings in force.
type Options struct {
	Cwd       string // the working directory, absolute
	Now       time.Time
	Limits    limit.Set
	Global    string   // folder with the user's own AGENTS.md; empty: none
	Fallbacks []string // names of files to read where there is no AGENTS.md
	Sandbox   string   // as in the settings; empty: not told
	Approval  string   // as in the settings; empty: not told
	Network   bool     // commands may use it
	Shell     string   // that runs commands; empty: not told
	Model     string   // that answers; empty: not told
	Notes     string   // folder of the thread's notes; empty: none are kept
}

// Initial is what the model should know before the first user input.
type Initial struct {
	// Entries stand in a window's head in this order: permissions and instructions,
	// where there are any, and the environment.
	Entries  []longrein.Entry
	Hits     []longrein.LimitHit
	Warnings []longrein.Warning
	Repository
}

// Look returns the initial context for o.Cwd as it is now. What cannot be read
// becomes a warning; only a working directory that is none is an error.
func Look(ctx context.Context, o Options) (Initial, error) {
	cwd, err := workingDirectory(o.Cwd)
	if err != nil {
		return Initial{}, err
	}
	repo, found := inspect(cwd, o.Limits)
	docs, more, err := instructions(ctx, cwd, repo.Root, o)
	if err != nil {
		return Initial{}, fmt.Errorf("look for instructions in %s: %w", cwd, err)
	}
	found.add(more)
	in := Initial{Hits: found.hits, Warnings: found.warnings, Repository: repo}
	if text := permissions(o); text != "" {
		in.Entries = append(in.Entries, entry(longrein.TagPermissions, text))
	}
	if len(docs) > 0 {
		in.Entries = append(in.Entries, entry(longrein.TagInstructions, layout(docs)))
	}
	in.Entries = append(in.Entries, entry(longrein.TagEnvironment, environment(cwd, repo, o)))
	return in, nil
}

func entry(tag longrein.Tag, text string) longrein.Entry {
	return longrein.Entry{Item: longrein.NewFragment(tag, text)}
}

// notices is what a search says beside what it found.
type notices struct {
	hits     []longrein.LimitHit
	warnings []longrein.Warning
}

func (n *notices) warn(format string, args ...any) {
	n.warnings = append(n.warnings, longrein.Warning{Text: fmt.Sprintf(format, args...)})
}

func (n *notices) add(m notices) {
	n.hits = append(n.hits, m.hits...)
	n.warnings = append(n.warnings, m.warnings...)
}

// workingDirectory returns the one path of the working directory, without
// symbolic links, so that its parents are those that git and commands see.
func workingDirectory(cwd string) (string, error) {
	path, err := filepath.Abs(cwd)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the working directory %s does not exist; choose another one with -C: %w", cwd, err)
	}
	if err != nil {
		return "", fmt.Errorf("the working directory %s cannot be used; choose another one with -C: %w", cwd, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("the working directory %s cannot be used; choose another one with -C: %w", cwd, err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("the working directory %s is a file; choose a folder with -C", cwd)
	}
	return path, nil
}
