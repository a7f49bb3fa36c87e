package file

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// Hash returns the SHA-256 of a file's content in hexadecimal, and its size. What
// is no regular file, or over most bytes, is an error.
func Hash(path string, most int64) (hash string, size int64, err error) {
	f, err := open(path, most)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, io.LimitReader(f, most+1))
	if err != nil {
		return "", 0, fmt.Errorf("hash %s: %w", path, err)
	}
	if size > most {
		return "", 0, tooLarge(path, size, most)
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}

// Regular reports whether there is a regular file at path, or behind the symlink
// there.
func Regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
