// Package limit names every number in Longrein that can cut, drop, refuse or
// delay something: its unit, default, range and reason. The table is in
// table.go. A [Set] holds the values that a user changed; its zero value is all
// defaults. When a limit bites, [Set.Hit] makes the record that says so.
package limit

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/longrein/longrein"
)

// Unit is what a limit counts.
type Unit string

// The units.
const (
	Bytes   Unit = "bytes"
	Tokens  Unit = "tokens"
	Count   Unit = "count"
	Millis  Unit = "ms"
	Percent Unit = "percent"
)

// Limit is one named number. Limits are declared in this package's table and
// nowhere else.
type Limit struct {
	Name     string
	Unit     Unit
	Default  int64
	Min, Max int64 // inclusive
	What     string
	Why      string
	// Planned names the part that the limit is for while that is not built: it is
	// listed then, and cannot be set. Empty for all others.
	Planned string
}

// Set maps a limit's name to the value that was set for it. The zero value is
// usable and means the defaults. A Set is not changed once a thread uses it.
type Set map[string]int64

// Of returns the value of l in s.
func (s Set) Of(l *Limit) int64 {
	if v, ok := s[l.Name]; ok {
		return v
	}
	return l.Default
}

// Int is Of as an int.
func (s Set) Int(l *Limit) int { return int(min(s.Of(l), math.MaxInt)) }

// Duration is Of for a limit in milliseconds.
func (s Set) Duration(l *Limit) time.Duration {
	return time.Duration(s.Of(l)) * time.Millisecond
}

// With returns a copy of s in which the named limit has the value v. An unknown
// name, one that is planned or a value out of range is an error that says what is
// possible.
func (s Set) With(name string, v int64) (Set, error) {
	l := Named(name)
	if l == nil {
		return nil, fmt.Errorf("there is no limit %q", name)
	}
	if l.Planned != "" {
		return nil, fmt.Errorf("limit %s is for %s, which is planned: there is nothing yet that it could bound", name, l.Planned)
	}
	if v < l.Min || v > l.Max {
		return nil, fmt.Errorf("limit %s = %d is out of range: %d to %d %s", name, v, l.Min, l.Max, l.Unit)
	}
	out := make(Set, len(s)+1)
	maps.Copy(out, s)
	out[name] = v
	return out, nil
}

// Hit returns the record that says that l, at the value it has in s, cut what by
// cut units; where says where the whole can still be read, and may be empty.
func (s Set) Hit(l *Limit, what string, cut int64, where string) longrein.LimitHit {
	return longrein.LimitHit{
		Name: l.Name, Value: s.Of(l), Unit: string(l.Unit), What: what, Cut: cut, Where: where,
	}
}

// Named returns the limit of that name, nil if there is none.
func Named(name string) *Limit {
	i, ok := slices.BinarySearchFunc(All, name, func(l *Limit, n string) int {
		switch {
		case l.Name < n:
			return -1
		case l.Name > n:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return All[i]
}
