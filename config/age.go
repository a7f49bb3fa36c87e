package config

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Threads says how long threads are kept.
type Threads struct {
	Keep         time.Duration // since their last record; 0: forever
	ArchivedKeep time.Duration // the same for those in the archive
	KeepNamed    bool          // threads with a name are kept in any case
}

// forever keeps threads.
const forever = "forever"

// age is the kind of a time in hours, days, weeks or years.
var age = kind[time.Duration]{forever + " or age", func(v value) (time.Duration, error) {
	s, ok := v.text()
	if !ok {
		return 0, wrongType(`"forever", or an age such as "90d"`, v)
	}
	if s == forever {
		return 0, nil
	}
	return ParseAge(s)
}}

var errAge = errors.New(`want an age in hours, days, weeks or years, such as "12h", "90d", "8w" or "1y"`)

// ParseAge reads an age such as "12h", "90d", "8w" or "1y". It is at least an hour
// and at most 100 years.
func ParseAge(s string) (time.Duration, error) {
	if s == "" {
		return 0, errAge
	}
	unit, ok := map[byte]time.Duration{'h': time.Hour, 'd': day, 'w': 7 * day, 'y': 365 * day}[s[len(s)-1]]
	n, err := strconv.Atoi(s[:len(s)-1])
	switch {
	case !ok || err != nil:
		return 0, errAge
	case n < 1 || n > int(oldest/unit):
		return 0, fmt.Errorf("want 1h to 100y, not %s", s)
	}
	return time.Duration(n) * unit, nil
}

const (
	day    = 24 * time.Hour  // fixed: a unit
	oldest = 100 * 365 * day // fixed: more is refused, and told this
)
