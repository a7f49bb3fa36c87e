package skill

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Text is the text of a skill for the model.
type Text struct {
	longrein.Fragment // with longrein.TagSkill
	Hits              []longrein.LimitHit
	Problems          []Problem
}

// Load reads a skill's text: its name and its path, each in a line, and then what
// stands behind the front matter, as far as limit.SkillText goes.
func Load(s Skill, limits limit.Set) (Text, error) {
	most := limits.Int(limit.SkillText)
	raw, size, err := readStart(s.Path, most+limits.Int(limit.SkillFrontMatter)+fences)
	if err != nil {
		return Text{}, fmt.Errorf("skill %s at %s cannot be read: %s", s.Name, s.Path, reason(err))
	}
	t := Text{}
	body := split(raw).text
	before := len(raw) - len(body)
	text := string(body[:min(len(body), most)])
	if size > int64(before+len(text)) {
		text = t.cut(s, text, limits, before, size, lineOf(raw, before))
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		t.warn(s, "its text is not UTF-8 everywhere; the bytes that are not were replaced. Save the file as UTF-8")
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if text == "" {
		t.warn(s, "it has no text below its front matter. Write there what the model has to do")
	}
	t.Fragment = longrein.NewFragment(longrein.TagSkill, nameLine+s.Name+"\n"+pathLine+s.Path+"\n\n"+text)
	return t, nil
}

const (
	nameLine = "name: "
	pathLine = "path: "
)

func (t *Text) warn(s Skill, text string) {
	t.Problems = append(t.Problems, Problem{Warning, s.Path, 0, text})
}

// cut ends a text at a line's end where it has one, says how much of the file
// follows, and records that. The text began behind so many bytes, on line first.
func (t *Text) cut(s Skill, text string, limits limit.Set, before int, size int64, first int) string {
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		text = text[:i+1]
	} else {
		text = whole(text)
	}
	out := size - int64(before+len(text))
	line := first + strings.Count(text, "\n")
	t.Hits = append(t.Hits, limits.Hit(limit.SkillText, fmt.Sprintf("the text of skill %s from line %d on", s.Name, line), out, s.Path))
	return text + fmt.Sprintf("\n[cut: %d of %d bytes left out; read %s from line %d on]", out, size, s.Path, line)
}

// whole is a text without the beginning of a character at its end.
func whole(text string) string {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRuneInString(last) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}
