package snapshot

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// state is what the last snapshot came to. It holds as long as the index is the
// one that it names.
type state struct {
	Top, Prefix string
	Index       string // checksum of the index
	Left        string // checksum of what was left out
	Rules       string // checksum of what says what is ignored; "" to look again
	Tree        string
}

// index is the store's index, as far as its file tells at once.
type index struct {
	sum   string
	files int
}

// index reads the head and the checksum of the index. A store without one has no
// files.
func (s *Store) index() (index, error) {
	f, err := os.Open(s.path(gitDir, "index"))
	if missing(err) {
		return index{}, nil
	}
	if err != nil {
		return index{}, err
	}
	defer f.Close()
	var head [12]byte // "DIRC", version, number of entries
	var sum [20]byte
	if _, err := io.ReadFull(f, head[:]); err != nil {
		return index{}, err
	}
	if _, err := f.Seek(-int64(len(sum)), io.SeekEnd); err != nil {
		return index{}, err
	}
	if _, err := io.ReadFull(f, sum[:]); err != nil {
		return index{}, err
	}
	return index{sum: hex.EncodeToString(sum[:]), files: int(binary.BigEndian.Uint32(head[8:]))}, nil // fixed: the index's format
}

// last returns the state that the last snapshot left, empty if there is none.
func (s *Store) last() state {
	var st state
	data, err := os.ReadFile(s.path(stateFile))
	if err != nil || json.Unmarshal(data, &st) != nil {
		return state{}
	}
	return st
}

func (s *Store) remember(st state) error {
	data, err := json.Marshal(st)
	if err != nil {
		return err
	}
	return write(s.path(stateFile), data)
}

// forget drops what is known of the folder, so that the next snapshot looks at
// every file anew. What is stored stays.
func (s *Store) forget() error {
	var errs []error
	for _, name := range []string{s.path(gitDir, "index"), s.path(stateFile)} {
		if err := os.Remove(name); err != nil && !missing(err) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
