package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/longrein/longrein/limit"
)

// quantity is the kind of a limit's value.
const quantity = "integer, duration or size"

func setLimit(s *Settings, names []string, v value) error {
	l := limit.Named(names[0])
	if l == nil {
		return fmt.Errorf("there is no such limit (longrein limits lists them)%s", DidYouMean(names[0], limitNames()))
	}
	if l.Planned != "" {
		return fmt.Errorf("this limit is for %s, which is planned: there is nothing yet that it could bound", l.Planned)
	}
	n, err := amount(l, v)
	if err != nil {
		return err
	}
	set, err := s.Limits.With(l.Name, n)
	if err != nil {
		return fmt.Errorf("want %d to %d%s, not %d", l.Min, l.Max, unit(l), n)
	}
	s.Limits = set
	return nil
}

func limitNames() []string {
	names := make([]string, len(limit.All))
	for i, l := range limit.All {
		names[i] = l.Name
	}
	return names
}

// amount reads a limit's value in its unit.
func amount(l *limit.Limit, v value) (int64, error) {
	if n, ok := v.v.(int64); ok {
		return n, nil
	}
	s, ok := v.v.(string)
	switch {
	case ok && l.Unit == limit.Millis:
		return millis(s)
	case ok && l.Unit == limit.Bytes:
		return size(s)
	}
	return 0, wrongType("a whole number"+unit(l), v)
}

// unit is the end of a phrase about a number of l.
func unit(l *limit.Limit) string {
	if l.Unit == limit.Count {
		return ""
	}
	return " (" + string(l.Unit) + ")"
}

// millis reads a duration such as "1m30s".
func millis(s string) (int64, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d%time.Millisecond != 0 {
		return 0, errors.New(`want a whole number of milliseconds, or a duration such as "500ms", "30s" or "1m30s"`)
	}
	return d.Milliseconds(), nil
}

var sizeUnits = map[string]int64{
	"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
}

// size reads a number of bytes such as "64KiB".
func size(s string) (int64, error) {
	unitText := strings.TrimLeft(s, "0123456789")
	unit := sizeUnits[strings.ToLower(strings.TrimPrefix(unitText, " "))]
	n, err := strconv.ParseInt(strings.TrimSuffix(s, unitText), 10, 64)
	if unit == 0 || err != nil || n > math.MaxInt64/unit {
		return 0, errors.New(`want a whole number of bytes, or a size such as "64KiB" or "2MB"`)
	}
	return n * unit, nil
}
