package rollout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Amount is a number of files and their bytes together.
type Amount struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// add counts a file of n bytes.
func (a *Amount) add(n int64) {
	a.Files++
	a.Bytes += n
}

func (a Amount) plus(b Amount) Amount { return Amount{a.Files + b.Files, a.Bytes + b.Bytes} }

// Usage is what a store has on the disk.
type Usage struct {
	Logs      Amount `json:"logs"`
	Kept      Amount `json:"kept"`  // of removed logs, for their forks
	Aside     Amount `json:"aside"` // moved aside of logs
	Blobs     Amount `json:"blobs"`
	Temporary Amount `json:"temporary"` // blobs that are being written, or were not to their end
}

// Total is all of it.
func (u Usage) Total() Amount {
	return u.Logs.plus(u.Kept).plus(u.Aside).plus(u.Blobs).plus(u.Temporary)
}

// Usage counts what the store has on the disk.
func (s *Store) Usage(ctx context.Context) (Usage, error) {
	u, err := s.usage(ctx)
	if err != nil {
		return u, fmt.Errorf("count what %s holds: %w", s.Root, explain(err))
	}
	return u, nil
}

func (s *Store) usage(ctx context.Context) (u Usage, err error) {
	for e, err := range s.beside(func(rest string) bool { return rest != lockSuffix }) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return u, err
		}
		info, err := e.Info()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return u, err
		}
		if to := u.of(e.Name()[idLength:]); to != nil && err == nil {
			to.add(info.Size())
		}
	}
	blobs, err := s.listBlobs()
	for _, b := range blobs {
		switch {
		case b.damaged:
			u.Aside.add(b.info.Size())
		case b.id == "":
			u.Temporary.add(b.info.Size())
		default:
			u.Blobs.add(b.info.Size())
		}
	}
	return u, err
}

// of is the amount that a file beside a thread's id belongs to.
func (u *Usage) of(rest string) *Amount {
	switch {
	case rest == logSuffix:
		return &u.Logs
	case rest == keptSuffix:
		return &u.Kept
	case strings.HasPrefix(rest, logSuffix):
		return &u.Aside
	}
	return nil
}
