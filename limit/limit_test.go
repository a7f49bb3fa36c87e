package limit

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryLimitIsNamedOnceInOrderAndExplained(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	for i, l := range All {
		if !name.MatchString(l.Name) {
			t.Errorf("name %q is not lower-case words with dashes", l.Name)
		}
		if i > 0 && All[i-1].Name >= l.Name {
			t.Errorf("%q is not after %q", l.Name, All[i-1].Name)
		}
		if Named(l.Name) != l {
			t.Errorf("Named(%q) does not find it", l.Name)
		}
		if l.Why == "" || l.What == "" {
			t.Errorf("%s has no reason or no meaning", l.Name)
		}
		if !slices.Contains([]Unit{Bytes, Tokens, Count, Millis, Percent}, l.Unit) {
			t.Errorf("%s has the unit %q", l.Name, l.Unit)
		}
	}
}

func TestSet(t *testing.T) {
	var s Set
	if got := s.Of(Prompt); got != Prompt.Default {
		t.Errorf("an empty set gives %d, want the default %d", got, Prompt.Default)
	}
	changed, err := s.With("prompt", 4096)
	if err != nil {
		t.Fatal(err)
	}
	if got := changed.Of(Prompt); got != 4096 {
		t.Errorf("after With: %d, want 4096", got)
	}
	if got := s.Of(Prompt); got != Prompt.Default {
		t.Errorf("With changed the set it was called on: %d", got)
	}
	if _, err := s.With("prompt", 1); err == nil {
		t.Error("a value below the range was taken")
	}
	if _, err := s.With("promt", 4096); err == nil {
		t.Error("an unknown name was taken")
	}
	if _, err := s.With(AgentJobs.Name, 2); err == nil || !strings.Contains(err.Error(), "sub-agents") {
		t.Errorf("setting a planned limit gave %v, want an error that names sub-agents", err)
	}
}
