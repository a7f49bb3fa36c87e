package config

import (
	"strings"
)

// Error is everything that is wrong with the settings: a matter of usage, which
// the user can put right. No text in it shows a value that may be a secret.
type Error struct{ Problems []Problem }

// Problem is one thing that is wrong, and where.
type Problem struct {
	Where string // "FILE:LINE:COLUMN", a variable or a flag
	Text  string // what is wrong and what is possible
}

// Error lists the problems, one a line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.Where + ": " + strings.TrimPrefix(p.Text, flagKey(p.Where)+": ")
	}
	return strings.Join(lines, "\n")
}

// flagKey is the key that a flag names, which need not be said once more.
func flagKey(where string) string {
	if key, ok := strings.CutPrefix(where, "-c "); ok {
		return key
	}
	key, _ := strings.CutPrefix(where, "--")
	return key
}
