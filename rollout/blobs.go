package rollout

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/longrein/longrein/limit"
)

// Names in the blobs' folder besides those of folders: a blob that is being
// written, one that is being given back, with its id, and one that a repair found
// damaged.
const (
	newPrefix     = "new-"
	oldPrefix     = "old-"
	damagedPrefix = "damaged-" // before the id and the time
	blobSuffix    = ".zst"
)

// blobFile is a file in the blobs' folders.
type blobFile struct {
	id      string // empty for one that is being written, or is damaged
	path    string
	aside   bool // it has lost its name
	damaged bool
	info    fs.FileInfo
}

// listBlobs returns all blobs.
func (s *Store) listBlobs() ([]blobFile, error) {
	entries, err := s.disk().ReadDir(s.blobs())
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var all []blobFile
	for _, e := range entries {
		if e.IsDir() {
			all, err = s.appendShelf(all, e.Name())
		} else if b, ok := oddBlob(e.Name()); ok {
			all, err = appendBlobFile(all, b, s.blobs(), e)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// oddBlob tells what a file is that lies beside the blobs' folders.
func oddBlob(name string) (b blobFile, ok bool) {
	if id, ok := strings.CutPrefix(name, oldPrefix); ok {
		return blobFile{id: id, aside: true}, blobID.MatchString(id)
	}
	b.damaged = strings.HasPrefix(name, damagedPrefix)
	return b, b.damaged || strings.HasPrefix(name, newPrefix)
}

// appendShelf adds the blobs whose ids begin with the folder's name.
func (s *Store) appendShelf(all []blobFile, name string) ([]blobFile, error) {
	dir := filepath.Join(s.blobs(), name)
	entries, err := s.disk().ReadDir(dir)
	if err != nil {
		return all, ignoreMissing(err)
	}
	for _, e := range entries {
		id := name + strings.TrimSuffix(e.Name(), blobSuffix)
		if path, err := s.blobPath(id); err != nil || filepath.Base(path) != e.Name() {
			continue // not ours
		}
		if all, err = appendBlobFile(all, blobFile{id: id}, dir, e); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func appendBlobFile(all []blobFile, b blobFile, dir string, e fs.DirEntry) ([]blobFile, error) {
	info, err := e.Info()
	if err != nil {
		return all, ignoreMissing(err)
	}
	b.path, b.info = filepath.Join(dir, e.Name()), info
	return append(all, b), nil
}

// asidePath is where a blob is while it is given back.
func (s *Store) asidePath(id string) string { return filepath.Join(s.blobs(), oldPrefix+id) }

func (s *Store) damagedPath(id string) string {
	return filepath.Join(s.blobs(), damagedPrefix+id+"-"+asideTime())
}

// blobsOf returns the blobs that a log mentions.
func (s *Store) blobsOf(ctx context.Context, id string) (named []blobFile, err error) {
	path, err := s.find(id)
	if err != nil {
		return nil, err
	}
	all, err := s.listBlobs()
	if err != nil {
		return nil, err
	}
	m := newMentions(idsOf(all))
	err = m.file(ctx, s.disk(), path)
	for _, b := range all {
		if m.found[b.id] && !b.aside {
			named = append(named, b)
		}
	}
	return named, err
}

func idsOf(all []blobFile) map[string]bool {
	ids := map[string]bool{}
	for _, b := range all {
		if b.id != "" {
			ids[b.id] = true
		}
	}
	return ids
}

// putBack gives a blob its name again, which a process that ended was about to
// remove.
func (s *Store) putBack(b blobFile) error {
	path, err := s.blobPath(b.id)
	if err != nil {
		return err
	}
	return s.disk().Rename(b.path, path)
}

// aging reports whether a blob must be written again when it is stored again, so
// that it is not collected before a log refers to it.
func (s *Store) aging(info fs.FileInfo) bool {
	return time.Since(info.ModTime()) > s.Limits.Duration(limit.CollectGrace)/2
}
