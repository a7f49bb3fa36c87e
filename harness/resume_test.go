package harness

import (
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/turn"
)

func TestResumingWithTheSameSettingsRecordsNothing(t *testing.T) {
	h := with(t, nil)
	h.opts.Model = struct{ longrein.Model }{}
	first, err := h.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var learned longrein.Settings
	if err := first.Look(t.Context(), func(m *turn.Machine) { learned = m.State().Next }); err != nil {
		t.Fatal(err)
	}
	learned.Dialect.Omit = []string{"store"} // as a server that refuses the field teaches
	if err := first.Change(t.Context(), learned); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	again, err := h.Resume(t.Context(), first.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	_ = again.Look(t.Context(), func(m *turn.Machine) {
		if got, want := m.State().Last, int64(3); got != want {
			t.Errorf("the log ends with record %d, want %d", got, want)
		}
	})
}
