package skill_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/internal/testkit"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/skill"
)

// described is a look's result with one skill for each description, a, b, c …
func described(texts ...string) *skill.Found {
	f := &skill.Found{}
	for i, text := range texts {
		name := string(rune('a' + i))
		f.Skills = append(f.Skills, skill.Skill{Name: name, Description: text, Path: "/s/" + name + "/SKILL.md"})
	}
	return f
}

// room is a budget of so many characters.
func room(tb testing.TB, characters int) skill.Budget {
	tb.Helper()
	return skill.Budget{Limits: set(tb, limit.SkillsUnknown, int64(characters)), Size: utf8.RuneCountInString}
}

// listed are the lines of a list.
func listed(l skill.List) []string {
	var lines []string
	for line := range strings.Lines(l.Text) {
		if strings.HasSuffix(line, "/SKILL.md)\n") || strings.HasSuffix(line, "/SKILL.md)") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func TestList(t *testing.T) {
	bare := len("- a (file: /s/a/SKILL.md)\n")
	long := strings.Repeat("x", 1000)
	tests := map[string]struct {
		texts           []string
		room            int
		want            []string
		shortened, left int
	}{
		"no skills":     {nil, 1000, nil, 0, 0},
		"all have room": {[]string{"One.", "Two."}, 2*bare + 2*len(": One."), []string{"- a: One. (file: /s/a/SKILL.md)", "- b: Two. (file: /s/b/SKILL.md)"}, 0, 0},
		"a short one is whole, a long one gets the rest": {
			[]string{"ten chars.", long},
			2*bare + 4 + 200,
			[]string{"- a: ten chars. (file: /s/a/SKILL.md)", "- b: " + strings.Repeat("x", 189) + "… (file: /s/b/SKILL.md)"},
			1, 0,
		},
		"long ones get the same": {
			[]string{long, long},
			2*bare + 4 + 20,
			[]string{"- a: xxxxxxxxx… (file: /s/a/SKILL.md)", "- b: xxxxxxxxx… (file: /s/b/SKILL.md)"},
			2, 0,
		},
		"there is room for names alone": {
			[]string{long, "Two."},
			2*bare + 4,
			[]string{"- a (file: /s/a/SKILL.md)", "- b (file: /s/b/SKILL.md)"},
			2, 0,
		},
		"not even for those":             {[]string{"One.", "Two.", "Three."}, 2 * bare, []string{"- a (file: /s/a/SKILL.md)", "- b (file: /s/b/SKILL.md)"}, 2, 1},
		"there is none at all":           {[]string{"One."}, 0, nil, 0, 1},
		"a closing tag in a description": {[]string{"x</skills>y"}, 1000, []string{"- a: x< /skills>y (file: /s/a/SKILL.md)"}, 0, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l := described(tt.texts...).List(room(t, tt.room))
			if diff := cmp.Diff(tt.want, listed(l)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if len(l.Shortened) != tt.shortened || len(l.Left) != tt.left {
				t.Errorf("%d shortened and %d left out, want %d and %d", len(l.Shortened), len(l.Left), tt.shortened, tt.left)
			}
			hits := min(tt.shortened, 1) + min(tt.left, 1)
			if len(l.Hits) != hits || strings.Contains(l.Text, "[cut: ") != (hits > 0 && l.Text != "") {
				t.Errorf("hits %v, text %q", l.Hits, l.Text)
			}
		})
	}
}

func TestALongLineIsPassedOver(t *testing.T) {
	f := described("One.", "Two.")
	f.Skills[0].Path = "/" + strings.Repeat("deep/", 100) + "a/SKILL.md"
	l := f.List(room(t, 60))
	want := []string{"- b (file: /s/b/SKILL.md)"}
	if diff := cmp.Diff(want, listed(l)); diff != "" || len(l.Left) != 1 {
		t.Errorf("left out %v, lines (-want +got):\n%s", l.Left, diff)
	}
}

func TestTheListSaysWhatItLeavesOut(t *testing.T) {
	f := described("One.", "Two.", "Three.")
	l := f.List(room(t, 2*len("- a (file: /s/a/SKILL.md)\n")))
	want := []longrein.LimitHit{
		{Name: "skills-budget-unknown", Value: 52, Unit: "tokens", What: "in the list of skills, the descriptions of 2 skills: a, b", Cut: 8, CutUnit: "characters", Where: "longrein skills list"},
		{Name: "skills-budget-unknown", Value: 52, Unit: "tokens", What: "in the list of skills, there is no room for 1 skill: c", Cut: 1, CutUnit: "skills", Where: "longrein skills list"},
	}
	if diff := cmp.Diff(want, l.Hits); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	if !strings.HasSuffix(l.Text, "\n[cut: there was no room for descriptions and for 1 skill more]") {
		t.Errorf("text %q", l.Text)
	}
}

func TestTheBudgetIsAShareOfTheWindow(t *testing.T) {
	tests := map[string]struct {
		window int
		want   int64
		name   string
	}{
		"a known window":    {272_000, 5_440, "skills-budget"},
		"an unknown window": {0, 2_000, "skills-budget-unknown"},
		"an odd window":     {272_050, 5_441, "skills-budget"},
		"a tiny window":     {99, 1, "skills-budget"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			list := func(size int64) skill.List {
				return described("One.").List(skill.Budget{Window: tt.window, Size: func(string) int { return int(size) }})
			}
			fits, over := list(tt.want), list(tt.want+1)
			if len(fits.Hits) != 0 || len(over.Hits) == 0 || over.Hits[0].Name != tt.name {
				t.Errorf("hits %v and %v", fits.Hits, over.Hits)
			}
		})
	}
}

// The whole text is one for people to read and for the model to follow.
func TestTheListAsTheModelSeesIt(t *testing.T) {
	l := described("Formats code.", "Writes release notes.").List(room(t, 1000))
	testkit.Golden(t, "list.txt", []byte(longrein.NewFragment(longrein.TagSkills, l.Text).Rendered()+"\n"))
}

func anySkills() *rapid.Generator[*skill.Found] {
	return rapid.Custom(func(t *rapid.T) *skill.Found {
		f := &skill.Found{}
		for i := range rapid.IntRange(0, 12).Draw(t, "skills") {
			name := fmt.Sprintf("s%d", rapid.IntRange(0, 20).Draw(t, "name"))
			words := rapid.StringMatching(`([a-zäö…<>/)(:]{1,6} ?){1,12}`).Draw(t, "description")
			f.Skills = append(f.Skills, skill.Skill{Name: name, Description: strings.TrimSpace(words), Path: fmt.Sprintf("/s/%d/%s/SKILL.md", i, name)})
		}
		return f
	})
}

var nameAlone = regexp.MustCompile(`^- s\d+ \(file: /s/\d+/s\d+/SKILL\.md\)$`)

func TestTheListKeepsToItsBudget(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := anySkills().Draw(rt, "found")
		most := rapid.IntRange(0, 600).Draw(rt, "room")
		l := f.List(room(t, most))
		size, lines := 0, listed(l)
		for _, line := range lines {
			size += utf8.RuneCountInString(line) + 1
		}
		if size > most {
			rt.Errorf("%d characters in a room of %d", size, most)
		}
		if len(lines)+len(l.Left) != len(f.Skills) {
			rt.Errorf("%d lines and %d left out of %d skills", len(lines), len(l.Left), len(f.Skills))
		}
		for _, line := range lines {
			if len(l.Left) > 0 && !nameAlone.MatchString(line) {
				rt.Errorf("a skill is left out and %q has a description", line)
			}
		}
	})
}

// What may not be shown is in no list, and is no change when it was not shown before.
func TestADescriptionIsShownAsFarAsItMay(t *testing.T) {
	f, b := described("The key is hunter22."), room(t, 1000)
	b.Show = func(text string) string { return strings.ReplaceAll(text, "hunter22", "[redacted]") }
	got := f.List(b).Text
	if !strings.HasSuffix(got, "\n- a: The key is [redacted]. (file: /s/a/SKILL.md)") {
		t.Errorf("got %q", got)
	}
	if again := f.Changes(told(got), b).Text; again != "" {
		t.Errorf("%q is told again", again)
	}
}
