package rollout

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/longrein/longrein"
)

// PutBlob stores what r yields, however long it is, and returns its name and
// size. It is durable on return. Content that is there already is not written
// again.
func (s *Store) PutBlob(r io.Reader) (longrein.Blob, error) {
	b, err := s.putBlob(r)
	if err != nil {
		return longrein.Blob{}, fmt.Errorf("store a blob: %w", explain(err))
	}
	return b, nil
}

func (s *Store) putBlob(r io.Reader) (longrein.Blob, error) {
	dirs, err := makeDirs(s.disk(), s.blobs(), s.Root)
	if err = errors.Join(err, syncDirs(s.disk(), dirs)); err != nil {
		return longrein.Blob{}, err
	}
	tmp := filepath.Join(s.blobs(), newPrefix+rand.Text())
	f, err := s.disk().Open(tmp, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return longrein.Blob{}, err
	}
	b, err := compress(f, r)
	if err == nil {
		err = s.keep(f, tmp, b.ID)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		s.disk().Remove(tmp)
	}
	return b, err
}

// putText is PutBlob for content in memory. It need not write to find that the
// content is there.
func (s *Store) putText(text []byte) (longrein.Blob, error) {
	id := fmt.Sprintf("%x", sha256.Sum256(text))
	path, err := s.blobPath(id)
	if err != nil {
		return longrein.Blob{}, err
	}
	info, err := s.disk().Stat(path)
	if err != nil || info.Size() == 0 || s.aging(info) {
		return s.PutBlob(bytes.NewReader(text))
	}
	return longrein.Blob{ID: id, Bytes: int64(len(text))}, s.syncBlob(path)
}

// compress writes what r yields to f.
func compress(f io.WriterAt, r io.Reader) (longrein.Blob, error) {
	hash := sha256.New()
	n, err := zip(io.NewOffsetWriter(f, 0), io.TeeReader(r, hash))
	if err != nil {
		return longrein.Blob{}, err
	}
	return longrein.Blob{ID: hex.EncodeToString(hash.Sum(nil)), Bytes: n}, nil
}

// keep gives the file at tmp its name, unless the same is there already. A file
// of another size there is damaged and gives way.
func (s *Store) keep(f DiskFile, tmp, id string) error {
	path, err := s.blobPath(id)
	if err != nil {
		return err
	}
	size, err := f.Size()
	if err != nil {
		return err
	}
	if old, err := s.disk().Stat(path); err == nil && old.Size() == size && !s.aging(old) {
		return errors.Join(s.disk().Remove(tmp), s.syncBlob(path))
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if _, err := makeDirs(s.disk(), filepath.Dir(path), s.Root); err != nil {
		return err
	}
	if err := s.disk().Rename(tmp, path); err != nil {
		return err
	}
	return s.syncBlob(path)
}

// syncBlob makes the entries durable that lead to a blob. Its content is, since
// before it had its name.
func (s *Store) syncBlob(path string) error {
	return syncDirs(s.disk(), []string{filepath.Dir(path), s.blobs()})
}

// ReadBlob returns up to n bytes of a blob's content from offset on; none behind
// its end. The whole content is checked against its name, so the time grows with
// the blob, the memory with n.
func (s *Store) ReadBlob(id string, offset, n int64) ([]byte, error) {
	b, err := s.readBlob(id, offset, n)
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", id, err)
	}
	return b, nil
}

func (s *Store) readBlob(id string, offset, n int64) ([]byte, error) {
	path, err := s.blobPath(id)
	if err != nil {
		return nil, err
	}
	f, err := s.disk().Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	packed, err := readable(f)
	if err != nil {
		return nil, err
	}
	var part []byte
	err = unzip(packed, func(content io.Reader) error {
		part, err = section(content, id, offset, n)
		return err
	})
	return part, err
}

// section reads all of r and returns a part of it.
func section(r io.Reader, id string, offset, n int64) ([]byte, error) {
	hash := sha256.New()
	all := io.TeeReader(r, hash)
	if _, err := io.CopyN(io.Discard, all, max(0, offset)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	part, err := io.ReadAll(io.LimitReader(all, n))
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, all); err != nil {
		return nil, err
	}
	if hex.EncodeToString(hash.Sum(nil)) != id {
		return nil, errors.New("its content is damaged")
	}
	return part, nil
}

func (s *Store) blobs() string { return filepath.Join(s.Root, "blobs") }

var blobID = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (s *Store) blobPath(id string) (string, error) {
	if !blobID.MatchString(id) {
		return "", fmt.Errorf("%.80q is not a blob's id, which is a SHA-256 in hexadecimal", id)
	}
	return filepath.Join(s.blobs(), id[:2], id[2:]+blobSuffix), nil
}
