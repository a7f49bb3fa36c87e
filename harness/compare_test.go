package harness

import (
	"strings"
	"testing"

	"github.com/longrein/longrein/config"
)

func TestEveryStrategyCanBeMadeForAReplay(t *testing.T) {
	h := with(t, nil)
	for _, name := range Strategies() {
		s, err := h.NewStrategy(name, "some-thread")
		if err != nil || s.Name() != name {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	if _, err := h.NewStrategy("never", "x"); err == nil || !strings.Contains(err.Error(), "recent") {
		t.Errorf("%v, want an error that names those there are", err)
	}
}

func TestTheModelOfTheSettingsIsHandedOut(t *testing.T) {
	m, set, err := with(t, nil, config.Flag{Name: "-m", Value: "sim:echo"}).Model(t.Context())
	if err != nil || m == nil || set.Model != "sim:echo" {
		t.Errorf("%v, %s, %v", m, set.Model, err)
	}
}
