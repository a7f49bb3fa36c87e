package index

import "strings"

// Query says what to list. The zero value means every thread that is not
// archived.
type Query struct {
	Cwd      string // only threads of this folder
	Model    string // only threads whose newest window has this model
	Text     string // only threads with these words in name or first input, in any order or case
	Archived bool   // those in the archive, instead of the others
	Limit    int    // at most so many; 0 means all
}

// match returns the test that q makes on a row.
func (q Query) match() func(*Entry) bool {
	words := strings.Fields(strings.ToLower(q.Text))
	return func(e *Entry) bool {
		return e.Archived == q.Archived &&
			(q.Cwd == "" || e.Cwd == q.Cwd) &&
			(q.Model == "" || e.Model == q.Model) &&
			says(e, words)
	}
}

func says(e *Entry, words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(e.Name + "\n" + e.First)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
