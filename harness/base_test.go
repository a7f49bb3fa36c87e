package harness

import (
	"strings"
	"testing"

	"github.com/longrein/longrein/config"
)

func TestBaseInstructionsByPrecedence(t *testing.T) {
	set := func(personality, own string) *Harness {
		return New(Options{Settings: &config.Settings{
			Personality: personality, Models: map[string]config.Model{"m": {Base: own}},
		}})
	}
	for name, c := range map[string]struct {
		h    *Harness
		want string
	}{
		"the model's own":           {set("terse", "Mend old programs.\n"), "Mend old programs."},
		"no personality":            {set("", ""), "Be brief and plain."},
		"the terse one":             {set("terse", ""), "Say as little as will do"},
		"the friendly one":          {set("friendly", ""), "Be warm and patient."},
		"a name that there is none": {set("../x", ""), "Be brief and plain."},
	} {
		got := c.h.Base("m")
		if !strings.Contains(got, c.want) || strings.Contains(got, "{{") || strings.TrimSpace(got) != got {
			t.Errorf("%s: got %q", name, got)
		}
	}
	for _, p := range config.Personalities {
		if _, err := manners.ReadFile("manner_" + p + ".md"); err != nil {
			t.Errorf("personality %s has no text: %v", p, err)
		}
	}
}
