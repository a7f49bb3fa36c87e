package config

import (
	"testing"
	"time"
)

func TestParseAge(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"12h": 12 * time.Hour, "90d": 90 * day, "8w": 56 * day, "1y": 365 * day, "100y": oldest,
		"": 0, "d": 0, "0d": 0, "-1d": 0, "1m": 0, "1.5d": 0, "101y": 0, "99999999999999999999d": 0, "9223372036854775807h": 0, "d90": 0, "90": 0, "9é": 0,
	} {
		got, err := ParseAge(s)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("ParseAge(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
}

func TestThreadsAreKeptForeverUnlessSaid(t *testing.T) {
	s := mustLoad(t, "")
	if s.Threads != (Threads{KeepNamed: true}) {
		t.Errorf("got %+v", s.Threads)
	}
	s = mustLoad(t, "[threads]\nkeep = \"90d\"\narchived_keep = \"forever\"\nkeep_named = false\n")
	if s.Threads != (Threads{Keep: 90 * day}) {
		t.Errorf("got %+v", s.Threads)
	}
}
