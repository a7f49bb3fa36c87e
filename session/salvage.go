package session

import (
	"bytes"
	"encoding/json"
)

// salvage finds whole records in a line that is not one: several on one line, or
// some after the torn beginning of another. Neither the places that are tried
// nor the bytes that are read for it go beyond a bound.
func salvage(line []byte, tries int) [][]byte {
	var found [][]byte
	budget := tries << 20
	for rest := line; tries > 0 && budget > 0; tries-- {
		budget -= len(rest)
		if record := leading(rest); record != nil {
			found = append(found, record)
			rest = rest[len(record):]
			continue
		}
		at := boundary(rest)
		if at < 0 {
			break
		}
		rest = rest[at:]
	}
	return found
}

// leading returns the JSON object that b begins with, nil if it begins with none.
func leading(b []byte) []byte {
	if len(b) == 0 || b[0] != '{' {
		return nil
	}
	var raw json.RawMessage
	if json.NewDecoder(bytes.NewReader(b)).Decode(&raw) != nil {
		return nil
	}
	return b[:len(raw)]
}

// boundary finds where, behind its first byte, b may begin with a new record:
// at an object that is no part of another one. Inside of strings there is none,
// since quotes are escaped there. It is negative when there is none.
func boundary(b []byte) int {
	for at := 1; at < len(b); at++ {
		i := bytes.Index(b[at:], []byte(`{"`))
		if i < 0 {
			return -1
		}
		at += i
		if !bytes.ContainsRune([]byte(":[, "), rune(b[at-1])) {
			return at
		}
	}
	return -1
}
