package rollout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/longrein/longrein/limit"
)

// CollectOptions say how much is given back.
type CollectOptions struct {
	DryRun bool // only say what would be
	// Aside gives back what was moved aside of logs: half lines, logs as they were
	// before a repair, and damaged blobs.
	Aside bool
}

// Collected is what was given back, or would be.
type Collected struct {
	Blobs     Amount `json:"blobs"`     // that no log refers to
	Kept      Amount `json:"kept"`      // of removed logs, that no fork needs
	Temporary Amount `json:"temporary"` // blobs that were not written to their end
	Aside     Amount `json:"aside"`
	// Young are blobs that no log refers to and that stay until they are older
	// than the limit collect-grace.
	Young   Amount `json:"young"`
	Scanned int64  `json:"scanned"` // bytes of logs in which references were looked for
}

// Freed is what was given back in all.
func (c Collected) Freed() Amount {
	return c.Blobs.plus(c.Kept).plus(c.Temporary).plus(c.Aside)
}

// Collect gives back what nothing refers to any more. Threads may be written to
// meanwhile, by any process. When ctx ends it stops with what it has done.
func (s *Store) Collect(ctx context.Context, o CollectOptions) (Collected, error) {
	c := collector{s: s, o: o, before: time.Now().Add(-s.Limits.Duration(limit.CollectGrace))}
	for _, step := range []func(context.Context) error{c.kept, c.aside, c.blobs, c.locks} {
		if err := errors.Join(ctx.Err(), step(ctx)); err != nil {
			return c.Collected, fmt.Errorf("give space back: %w", explain(err))
		}
	}
	return c.Collected, nil
}

type collector struct {
	s      *Store
	o      CollectOptions
	before time.Time // what changed since is young
	Collected
}

func (c *collector) old(info fs.FileInfo) bool { return info.ModTime().Before(c.before) }

// remove removes a file and counts it.
func (c *collector) remove(path string, size int64, to *Amount) error {
	if !c.o.DryRun {
		if err := c.s.disk().Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	to.add(size)
	return nil
}

// kept cuts what is kept of removed logs.
func (c *collector) kept(ctx context.Context) (err error) {
	if c.o.DryRun {
		c.Kept, err = c.s.excess(ctx)
		return err
	}
	held := locks{}
	c.Kept, err = c.s.settle(ctx, held)
	return errors.Join(err, held.Close())
}

func (c *collector) aside(context.Context) error {
	if !c.o.Aside {
		return nil
	}
	for e, err := range c.s.beside(isAside) {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && c.old(info) {
			err = c.remove(e.path(), info.Size(), &c.Aside)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// locks removes the files of locks that processes left behind when they died, and
// gauges of logs that are gone.
func (c *collector) locks(context.Context) error {
	if c.o.DryRun {
		return nil
	}
	for e, err := range c.s.beside(func(rest string) bool { return rest == lockSuffix || rest == gaugeSuffix }) {
		if err == nil {
			err = c.leftover(e)
		}
		if err = ignoreMissing(err); err != nil {
			return err
		}
	}
	return nil
}

// leftover removes a lock that nobody holds, or the gauge of no log.
func (c *collector) leftover(e entry) error {
	if e.Name()[idLength:] == gaugeSuffix {
		if _, err := c.s.find(e.id); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return c.s.disk().Remove(e.path())
	}
	lock, err := c.s.tryLock(e.path())
	if err != nil || lock == nil {
		return err
	}
	return lock.Close()
}

// blobs removes those that no log refers to, and what is left of others.
func (c *collector) blobs(ctx context.Context) error {
	all, err := c.s.listBlobs()
	if err != nil {
		return err
	}
	found, scanned, err := c.s.Mentioned(ctx, idsOf(all))
	if err != nil {
		return err
	}
	c.Scanned = scanned
	for _, b := range all {
		if err := errors.Join(ctx.Err(), c.blob(b, found[b.id])); err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) blob(b blobFile, wanted bool) error {
	switch {
	case b.damaged && (!c.o.Aside || !c.old(b.info)):
		return nil
	case b.damaged:
		return c.remove(b.path, b.info.Size(), &c.Aside)
	case b.id == "" && c.old(b.info):
		return c.remove(b.path, b.info.Size(), &c.Temporary)
	case b.id == "":
		return nil
	case b.aside && wanted && !c.o.DryRun:
		return c.s.putBack(b)
	case wanted:
		return nil
	case !c.old(b.info):
		c.Young.add(b.info.Size())
		return nil
	case c.o.DryRun:
		c.Blobs.add(b.info.Size())
		return nil
	}
	return c.take(b)
}

// take removes a blob unless it was stored again meanwhile, which makes it young.
// So that this is seen for certain, the blob loses its name first.
func (c *collector) take(b blobFile) error {
	aside := c.s.asidePath(b.id)
	if !b.aside {
		if err := c.s.disk().Rename(b.path, aside); err != nil {
			return ignoreMissing(err)
		}
	}
	info, err := c.s.disk().Stat(aside)
	if err != nil {
		return ignoreMissing(err)
	}
	if !c.old(info) {
		c.Young.add(info.Size())
		return c.s.disk().Rename(aside, b.path)
	}
	return c.remove(aside, info.Size(), &c.Blobs)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
