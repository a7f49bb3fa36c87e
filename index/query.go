package index

import (
	"strings"
	"time"
)

// Query says which threads are asked for. The zero value means every thread that is
// not archived.
type Query struct {
	Cwd      string    // only threads of this folder
	Branch   string    // only threads that began on this branch
	Model    string    // only threads whose newest window has this model
	Name     string    // only threads with this name, in any case
	Since    time.Time // only threads with a record of then or later; zero for any
	Until    time.Time // only threads whose newest record is older; zero for any
	Archived bool      // those in the archive, instead of the others
	All      bool      // those in the archive, and the others
	Limit    int       // at most so many; 0 means all
}

// match reports whether q asks for a row.
func (q *Query) match(e *Entry) bool {
	return (q.All || e.Archived == q.Archived) &&
		(q.Cwd == "" || e.Cwd == q.Cwd) &&
		(q.Branch == "" || e.Branch == q.Branch) &&
		(q.Model == "" || e.Model == q.Model) &&
		(q.Name == "" || strings.EqualFold(e.Name, q.Name)) &&
		(q.Since.IsZero() || !e.Updated.Before(q.Since)) &&
		(q.Until.IsZero() || e.Updated.Before(q.Until))
}
