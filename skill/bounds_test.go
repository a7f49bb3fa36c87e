package skill_test

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/skill"
)

func TestALongTextIsCutAtALineAndSaysWhereTheRestIs(t *testing.T) {
	dir := folder(t)
	write(t, dir+"/fmt/SKILL.md", head("name: fmt", "description: Formats.")+strings.Repeat("a line of the text\n", 200))
	f := look(t, new(skill.Catalog), []skill.Root{{Path: dir, Level: skill.LevelUser}})
	text, err := skill.Load(f.Skills[0], limit.Set{limit.SkillText.Name: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.Fragment.Text, "a line of the text\n"); n < 40 || n > 52 {
		t.Errorf("%d lines are shown", n)
	}
	if !strings.Contains(text.Fragment.Text, "read "+f.Skills[0].Path+" from line ") || len(text.Hits) != 1 || text.Hits[0].Name != limit.SkillText.Name {
		t.Errorf("hits %+v, text %q", text.Hits, text.Fragment.Text)
	}
}

func TestOnlySoManyMentionedSkillsAreLoaded(t *testing.T) {
	dir := folder(t)
	for _, name := range []string{"a", "b", "c"} {
		good(t, dir, name)
	}
	f := look(t, new(skill.Catalog), []skill.Root{{Path: dir, Level: skill.LevelUser}})
	limits := limit.Set{limit.SkillMentions.Name: 2}
	m := f.Mentioned([]string{"use $a, $b and $c"}, nil, limits)
	if len(m.Entries) != 2 || len(m.Hits) != 1 || m.Hits[0].Name != limit.SkillMentions.Name || m.Hits[0].Cut != 1 {
		t.Fatalf("%d are loaded, hits %+v", len(m.Entries), m.Hits)
	}
	if again := f.Mentioned([]string{"use $a again"}, append([]longrein.Entry{}, m.Entries...), limits); len(again.Entries) != 0 {
		t.Errorf("a skill that is in the window is loaded again: %+v", again.Entries)
	}
}
