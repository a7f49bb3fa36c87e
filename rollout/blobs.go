package rollout

import (
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/longrein/longrein/limit"
)

// Names in the blobs' folder besides those of folders: a blob that is being
// written, and one that is being given back, with its id.
const (
	newPrefix  = "new-"
	oldPrefix  = "old-"
	blobSuffix = ".zst"
)

// blobFile is a file in the blobs' folders.
type blobFile struct {
	id    string // empty for one that is being written
	path  string
	aside bool // it has lost its name
	info  fs.FileInfo
}

// listBlobs returns all blobs.
func (s *Store) listBlobs() ([]blobFile, error) {
	entries, err := s.disk().ReadDir(s.blobs())
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var all []blobFile
	for _, e := range entries {
		if !e.IsDir() {
			id, aside := strings.CutPrefix(e.Name(), oldPrefix)
			if aside && blobID.MatchString(id) || strings.HasPrefix(e.Name(), newPrefix) {
				all, err = appendBlobFile(all, blobFile{id: id, aside: aside}, s.blobs(), e)
			}
		} else {
			all, err = s.appendShelf(all, e.Name())
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
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
	if strings.HasPrefix(e.Name(), newPrefix) {
		b.id = ""
	}
	b.path, b.info = filepath.Join(dir, e.Name()), info
	return append(all, b), nil
}

// asidePath is where a blob is while it is given back.
func (s *Store) asidePath(id string) string { return filepath.Join(s.blobs(), oldPrefix+id) }

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
