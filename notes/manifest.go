package notes

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// manifestName is hidden, so it can never be a document's.
const manifestName = ".published.json"

// manifest says which contents are ours. A hash is the SHA-256 of a content in
// hexadecimal, and empty where there is no file.
type manifest struct {
	Files map[string]string `json:"files"` // as they were last published
	// Next are those that were being published when this was written; empty for
	// one that was being removed.
	Next map[string]string `json:"next,omitempty"`
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// ours reports whether a file with this hash was published and not edited since.
func (m *manifest) ours(name, hash string) bool {
	next, publishing := m.Next[name]
	return m.Files[name] == hash || publishing && next == hash
}

// settle notes that a file has this hash and that it is ours.
func (m *manifest) settle(name, hash string) {
	delete(m.Next, name)
	m.Files[name] = hash
	if hash == "" {
		delete(m.Files, name)
	}
}

// others returns the documents of the manifest that are not among known, as
// deleted ones, by name.
func (m *manifest) others(known []longrein.Document) []longrein.Document {
	names := maps.Clone(m.Files)
	maps.Copy(names, m.Next)
	for _, d := range known {
		delete(names, d.Name)
	}
	var gone []longrein.Document
	for _, name := range slices.Sorted(maps.Keys(names)) {
		gone = append(gone, longrein.Document{Name: name, Deleted: true})
	}
	return gone
}

func (m *manifest) clone() *manifest {
	return &manifest{Files: maps.Clone(m.Files), Next: maps.Clone(m.Next)}
}

// manifest reads the folder's. One that is missing or damaged is empty, and
// problem says the latter: whatever differs from the log is then an edit.
func (p *place) manifest() (m *manifest, problem string, err error) {
	m = &manifest{}
	data, err := p.read(manifestName, limit.NoteFile.Max)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err == nil && json.Unmarshal(data, m) != nil, errors.Is(err, errOdd):
		m, err = &manifest{}, nil
		problem = fmt.Sprintf("%s is damaged, so a document that differs from the log counts as edited", manifestName)
	}
	m.Files, m.Next = usable(m.Files), usable(m.Next)
	return m, problem, err
}

// usable is a map without names that we would not have written.
func usable(hashes map[string]string) map[string]string {
	if hashes == nil {
		return map[string]string{}
	}
	maps.DeleteFunc(hashes, func(name, _ string) bool { return oddName(name) != "" })
	return hashes
}

func (p *place) save(m *manifest) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return p.put(manifestName, string(data)+"\n")
}
