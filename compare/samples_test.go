package compare

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/longrein/longrein/rollout"
)

// TestTheEstimateIsWithinFivePercentOnRealSessions reads the recorded sessions in
// the folder that LONGREIN_SESSIONS names, and replays each under every strategy.
// The estimate is held to what the provider counted, over the sessions that have
// counts enough.
func TestTheEstimateIsWithinFivePercentOnRealSessions(t *testing.T) {
	dir := os.Getenv("LONGREIN_SESSIONS")
	if dir == "" {
		t.Skip("LONGREIN_SESSIONS names no folder of recorded sessions")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no sessions there", err)
	}
	store := &rollout.Store{Root: t.TempDir()}
	for _, file := range files {
		sessions, err := File(store, file)
		if err != nil {
			t.Log(err)
			continue
		}
		for _, s := range sessions {
			e := s.Estimate
			t.Logf("%-44s %4d counted, off by %4.1f%% on average, %4.1f%% at most in 95 of 100; scale %.2f",
				s.Name, e.Reported, 100*e.Mean, 100*e.P95, e.Scale)
			if e.Reported >= 10 && e.Mean > 0.05 {
				t.Errorf("%s: the estimate is off by %.1f%%", s.Name, 100*e.Mean)
			}
			replayAll(t, s)
		}
	}
}

func replayAll(t *testing.T, s *Session) {
	t.Helper()
	for name, make := range strategies {
		for _, window := range []int{0, 30_000} {
			r, err := Replay(t.Context(), s, Options{Strategy: make(), Profile: ProfileOf(s.Settings, nil), Window: window})
			if err != nil {
				t.Fatal(err)
			}
			if r.Failed != "" {
				t.Logf("%s under %s in %d tokens: %s", s.Name, name, window, r.Failed)
			}
		}
	}
}
