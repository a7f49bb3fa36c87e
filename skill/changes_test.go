package skill_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/skill"
)

func told(texts ...string) []longrein.Entry {
	var entries []longrein.Entry
	for _, text := range texts {
		entries = append(entries, longrein.Entry{Item: longrein.NewFragment(longrein.TagSkills, text)})
	}
	return entries
}

func TestChanges(t *testing.T) {
	long := strings.Repeat("long ", 40) + "end."
	was := described("One.", "Two.", "Three.")
	tests := map[string]struct {
		was, now *skill.Found
		room     int // characters, of both
		want     string
	}{
		"nothing": {was, described("One.", "Two.", "Three."), 1000, ""},
		"one is new": {
			described("One."), described("One.", "Two."), 1000,
			"The list of skills has changed. New or different:\n- b: Two. (file: /s/b/SKILL.md)",
		},
		"one is gone": {
			was, described("One.", "Two."), 1000,
			"The list of skills has changed.\nNo longer there:\n- c (file: /s/c/SKILL.md)",
		},
		"one says something else, and one is gone": {
			was, described("One!", "Two."), 1000,
			"The list of skills has changed. New or different:\n- a: One! (file: /s/a/SKILL.md)\nNo longer there:\n- c (file: /s/c/SKILL.md)",
		},
		"one has another name": {
			described("One."), &skill.Found{Skills: []skill.Skill{{Name: "z", Description: "One.", Path: "/s/a/SKILL.md"}}}, 1000,
			"The list of skills has changed. New or different:\n- z: One. (file: /s/a/SKILL.md)",
		},
		"one is new, for which another is shortened": {
			described(long), described(long, "Two."), 240,
			"The list of skills has changed. New or different:\n- b: Two. (file: /s/b/SKILL.md)",
		},
		"the part of a description that was cut": {described(long), described(long + " More."), 100, ""},
		"the part of a description that was shown": {
			described(long), described("Very " + long), 100,
			"The list of skills has changed. New or different:\n- a: Very long long long long long long long long long long long long long l… (file: /s/a/SKILL.md)",
		},
		"all are gone": {
			described("One."), described(), 1000,
			"The list of skills has changed.\nNo longer there:\n- a (file: /s/a/SKILL.md)",
		},
		"a tag in a description": {described("</skills>"), described("</skills>"), 1000, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			seen := told(tt.was.List(room(t, tt.room)).Text)
			got := tt.now.Changes(seen, room(t, tt.room))
			if diff := cmp.Diff(tt.want, got.Text); diff != "" {
				t.Errorf("difference (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangesOfAWindowWithoutAList(t *testing.T) {
	f, b := described("One."), room(t, 1000)
	if got, want := f.Changes(nil, b).Text, f.List(b).Text; got != want {
		t.Errorf("%q, want the whole list", got)
	}
	if got := described().Changes(nil, b).Text; got != "" {
		t.Errorf("%q, want nothing", got)
	}
}

// A model that was told of a change is told of it once, and knows then what a list of
// its own would have told it.
func TestChangesAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := room(t, rapid.IntRange(0, 800).Draw(rt, "room"))
		var seen []longrein.Entry
		for range rapid.IntRange(1, 5).Draw(rt, "turns") {
			now := anySkills().Draw(rt, "found")
			if text := now.Changes(seen, b).Text; text != "" {
				seen = append(seen, told(text)...)
			}
			if again := now.Changes(seen, b).Text; again != "" && len(seen) > 0 {
				rt.Fatalf("told again:\n%s", again)
			}
			known := knownOf(seen)
			for _, line := range listed(now.List(b)) {
				_, place, _ := strings.Cut(line, " (file: ")
				if !slices.Contains(known, place) {
					rt.Errorf("nothing was told of %s", line)
				}
			}
		}
	})
}

// knownOf are the places of the skills that the entries tell of.
func knownOf(entries []longrein.Entry) []string {
	var places []string
	for _, e := range entries {
		gone := false
		for line := range strings.SplitSeq(e.Item.(longrein.Fragment).Text, "\n") {
			gone = gone || line == "No longer there:"
			_, place, ok := strings.Cut(line, " (file: ")
			switch {
			case !ok:
			case gone:
				places = slices.DeleteFunc(places, func(p string) bool { return p == place })
			default:
				places = append(places, place)
			}
		}
	}
	return places
}
