package harness

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/environ"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/snapshot"
	"github.com/longrein/longrein/turn"
)

// camera takes a thread's snapshots, one at a time.
type camera struct {
	h      *Harness
	thread string
	told   map[string]bool // what was said to be left out or to stand in the way
	off    error           // why no more are tried: there is too much in the folder
}

func (h *Harness) camera(thread string) *camera {
	return &camera{h: h, thread: thread, told: map[string]bool{}}
}

// takes reports whether a thread's files are remembered.
func (h *Harness) takes() bool { return h.opts.Settings.Snapshots && !h.opts.Ephemeral }

// snap takes one. What stands in the way is said, and the work goes on without.
func (c *camera) snap(ctx context.Context, s turn.Snap) turn.Snapped {
	root := c.h.root()
	out := turn.Snapped{Snapshot: longrein.Snapshot{When: s.When, Turn: s.Turn, Root: root}}
	taken, err := c.take(ctx, root)
	if err != nil {
		out.Snapshot.Why = err.Error()
		if text := "what is changed here cannot be undone: " + err.Error(); c.first(text) {
			out.Warnings = []longrein.Warning{{Text: text}}
		}
		return out
	}
	out.Snapshot.Tree, out.Snapshot.Files = taken.Tree, taken.Files
	for _, hit := range taken.Hits {
		if c.first(fmt.Sprint(hit)) {
			out.Hits = append(out.Hits, hit)
		}
	}
	return out
}

// take takes one, unless there was too much in the folder before: to find that out
// again would cost every turn some seconds.
func (c *camera) take(ctx context.Context, root string) (snapshot.Taken, error) {
	if c.off != nil {
		return snapshot.Taken{}, c.off
	}
	taken, err := c.h.take(ctx, c.thread, root)
	var no *snapshot.RefusedError
	if errors.As(err, &no) && no.Hit.Name != limit.SnapshotTime.Name { // given more time, the next one goes on
		c.off = err
	}
	return taken, err
}

// first reports whether something was not said yet.
func (c *camera) first(what string) bool {
	before := c.told[what]
	c.told[what] = true
	return !before
}

// errEverywhere refuses a folder in which a turn's changes are a drop in the sea.
var errEverywhere = errors.New("the whole home folder, or the whole disk, is not remembered; work in a folder of the project, or begin a git repository")

func (h *Harness) take(ctx context.Context, thread, root string) (snapshot.Taken, error) {
	if root == filepath.Clean(h.env("HOME")) || root == filepath.Dir(root) {
		return snapshot.Taken{}, errEverywhere
	}
	store, err := h.snapshots(root)
	if err != nil {
		return snapshot.Taken{}, err
	}
	return store.Take(ctx, thread)
}

// root is the folder whose files are remembered: all of the project, because a turn
// may change files beside its working directory.
func (h *Harness) root() string {
	if git := environ.Git(h.opts.Cwd); git.Root != "" {
		return git.Root
	}
	if real, err := filepath.EvalSymlinks(h.opts.Cwd); err == nil {
		return real
	}
	return h.opts.Cwd
}

func (h *Harness) snapshots(root string) (*snapshot.Store, error) {
	s := h.opts.Settings
	return snapshot.Open(h.snapshotsDir(), root, snapshot.Options{Limits: s.Limits, Skip: []string{s.Paths.Data, s.Paths.Config}})
}

func (h *Harness) snapshotsDir() string {
	return filepath.Join(h.opts.Settings.Paths.Data, "snapshots")
}
