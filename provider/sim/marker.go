package sim

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strings"
)

// place is where a play stands: step says which response of the script was the
// last, play how often the script was begun.
type place struct{ play, step int }

func (a place) before(b place) bool {
	return a.play < b.play || a.play == b.play && a.step < b.step
}

// marker writes a place so that it is found again in call ids and in texts. Four
// digits prove that it is this script's, and no number out of some file.
//
//	sim_1_12_3fa9    step 12 of the first play
func (s *Script) marker(at place) string {
	return fmt.Sprintf("%s%d_%d_%s", markerHead, at.play, at.step, s.proof(at))
}

const markerHead = "sim_"

func (s *Script) proof(at place) string {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s %d %d", s.Name, at.play, at.step)
	return fmt.Sprintf("%04x", h.Sum32()&0xffff)
}

// newest returns the highest place that is marked in text, and what follows the
// marker.
func (s *Script) newest(text []byte) (at place, rest []byte) {
	for {
		i := bytes.Index(text, []byte(markerHead))
		if i < 0 {
			return at, rest
		}
		text = text[i+len(markerHead):]
		if found, after, ok := s.readPlace(text); ok && at.before(found) {
			at, rest = found, after
		}
	}
}

// readPlace reads a marker whose head is already read.
func (s *Script) readPlace(b []byte) (at place, rest []byte, ok bool) {
	play, b, ok1 := digits(b)
	step, b, ok2 := digits(b)
	if !ok1 || !ok2 || len(b) < 4 {
		return place{}, nil, false
	}
	at = place{play, step}
	return at, b[4:], string(b[:4]) == s.proof(at)
}

// digits reads a number of up to ten digits and the underscore behind it.
func digits(b []byte) (n int, rest []byte, ok bool) {
	for i, c := range b[:min(len(b), 11)] { // fixed: ten digits
		switch {
		case c == '_' && i > 0:
			return n, b[i+1:], true
		case c < '0' || c > '9':
			return 0, nil, false
		}
		n = n*10 + int(c-'0')
	}
	return 0, nil, false
}

// callID names call number n of a step; "f" is the list of files. salt tells
// apart the same call made twice.
func (s *Script) callID(prefix string, at place, n, salt string) string {
	return prefix + s.marker(at) + "_" + n + "_" + salt
}

// readCallID takes apart what callID made.
func (s *Script) readCallID(id string) (at place, n string, ok bool) {
	at, rest := s.newest([]byte(id))
	if at == (place{}) || len(rest) == 0 || rest[0] != '_' {
		return place{}, "", false
	}
	n, _, ok = strings.Cut(string(rest[1:]), "_")
	return at, n, ok
}
