package skill

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Budget says how large the list of skills may be.
type Budget struct {
	Window int // the model's context window in tokens; 0: not known
	Limits limit.Set
	Size   func(string) int // tokens of a text; the same function for all budgets of one Found
	// Show is what may be shown of a description, such as all but secrets; nil: all of
	// it. It is the same function for all budgets of one Found too.
	Show func(string) string
}

// of returns the limit in force and the tokens that it leaves.
func (b Budget) of() (*limit.Limit, int) {
	if b.Window <= 0 {
		return limit.SkillsUnknown, b.Limits.Int(limit.SkillsUnknown)
	}
	share := b.Limits.Int(limit.SkillsShare)
	return limit.SkillsShare, b.Window/100*share + b.Window%100*share/100
}

// List is what the model is told of the skills that there are.
type List struct {
	// Text is the body of a fragment with [longrein.TagSkills]. It is empty when there
	// is nothing to tell.
	Text      string
	Shortened []Skill // whose description is not whole
	Left      []Skill // that are not listed
	Hits      []longrein.LimitHit
	lines     []line
}

// line is a skill as it is listed.
type line struct {
	Skill
	shown string // of the description
}

const fileMark = " (file: "

// String is the line as the model sees it.
func (l line) String() string {
	text := itemMark + l.Name
	if l.shown != "" {
		text += ": " + l.shown
	}
	return text + fileMark + l.Path + ")"
}

const itemMark = "- "

// List returns the list for the start of a window. What has no room is told in this
// order: descriptions are shortened, the longest first and all to the same length;
// then there are none, and skills are left out that do not fit any more, the last
// ones of Found first, though a shorter line behind them may still fit.
func (f *Found) List(b Budget) List {
	l := f.fit(b)
	if len(l.lines) == 0 {
		return l
	}
	parts := []string{usage, listHeading}
	for _, one := range l.lines {
		parts = append(parts, one.String())
	}
	if note := l.note(); note != "" {
		parts = append(parts, note)
	}
	l.Text = strings.Join(parts, "\n")
	return l
}

// listHeading stands above the lines of a list.
const listHeading = "Skills:"

// fitted is what had room the last time, which holds for the same room.
type fitted struct {
	mu    sync.Mutex
	valid bool
	limit *limit.Limit
	room  int
	list  List
}

// fit finds what of each skill has room.
func (f *Found) fit(b Budget) List {
	lim, room := b.of()
	last := &f.fitted
	last.mu.Lock()
	defer last.mu.Unlock()
	if !last.valid || last.limit != lim || last.room != room {
		last.valid, last.limit, last.room, last.list = true, lim, room, f.fitAnew(b, lim, room)
	}
	return last.list
}

func (f *Found) fitAnew(b Budget, lim *limit.Limit, room int) List {
	l := List{}
	for _, s := range f.Skills {
		if b.Show != nil {
			s.Description = b.Show(s.Description)
		}
		s.Description = inList(s.Description)
		l.lines = append(l.lines, line{s, s.Description})
	}
	size := b.sum(l.lines)
	if size <= room {
		return l
	}
	most := b.longest(l.lines, room, size)
	if most == 0 {
		l.drop(b, room)
	} else {
		l.shorten(most)
	}
	l.hit(lim, b.Limits)
	return l
}

// inList is a text as the model sees it in the list.
func inList(text string) string { return longrein.NewFragment(longrein.TagSkills, text).Text }

func (b Budget) sum(lines []line) int {
	n := 0
	for _, l := range lines {
		n += b.Size(l.String() + "\n")
	}
	return n
}

// longest returns how many characters each description may have for all lines to fit;
// 0 if they do not fit without any. They have size when they are whole. It stops where
// there is no room for one more of each. Sizes may take long to find, so it guesses by
// those that it has, and halves the rest at every other try.
func (b Budget) longest(lines []line, room, size int) int {
	least, most := 0, 0
	for _, l := range lines {
		most = max(most, utf8.RuneCountInString(l.Description))
	}
	low, high := b.sum(capped(lines, least)), size
	for try := 0; low <= room && most-least > 1; try++ {
		middle := (least + most) / 2
		if try%2 == 0 {
			middle = min(max(least+(most-least)*(room-low)/(high-low), least+1), most-1)
		}
		tried := capped(lines, middle)
		n := b.sum(tried)
		if n > room {
			most, high = middle, n
			continue
		}
		least, low = middle, n
		if room-n < cuts(tried) {
			break
		}
	}
	return least
}

// cuts is how many of the lines have a description that is not whole.
func cuts(lines []line) int {
	n := 0
	for _, l := range lines {
		if l.shown != l.Description {
			n++
		}
	}
	return n
}

// capped returns the lines with descriptions of at most so many characters.
func capped(lines []line, most int) []line {
	out := make([]line, len(lines))
	for i, l := range lines {
		out[i] = line{l.Skill, shortened(l.Description, most)}
	}
	return out
}

func (l *List) shorten(most int) {
	l.lines = capped(l.lines, most)
	for _, one := range l.lines {
		if one.shown != one.Description {
			l.Shortened = append(l.Shortened, one.Skill)
		}
	}
}

// drop leaves descriptions out, and then lines.
func (l *List) drop(b Budget, room int) {
	var kept []line
	for _, one := range l.lines {
		one.shown = ""
		if n := b.Size(one.String() + "\n"); n <= room {
			room -= n
			kept = append(kept, one)
			l.Shortened = append(l.Shortened, one.Skill)
		} else {
			l.Left = append(l.Left, one.Skill)
		}
	}
	l.lines = kept
}

// note tells the model what it does not see.
func (l *List) note() string {
	switch short, left := len(l.Shortened), len(l.Left); {
	case left > 0:
		return fmt.Sprintf("[cut: there was no room for descriptions and for %s more]", skills(left))
	case short > 0:
		return fmt.Sprintf("[cut: the descriptions of %s are shortened; the whole is in the file]", skills(short))
	}
	return ""
}

// hit tells the user of it.
func (l *List) hit(lim *limit.Limit, limits limit.Set) {
	add := func(what string, of []Skill, cut int, unit string) {
		if len(of) > 0 {
			h := limits.Hit(lim, fmt.Sprintf("%s %s: %s", what, skills(len(of)), names(of, limits.Int(limit.SkillsNamed))), int64(cut), "longrein skills list")
			h.CutUnit = unit
			l.Hits = append(l.Hits, h)
		}
	}
	cut := 0
	for _, one := range l.lines {
		cut += len([]rune(one.Description)) - len([]rune(strings.TrimSuffix(one.shown, cutMark)))
	}
	add("in the list of skills, the descriptions of", l.Shortened, cut, "characters")
	add("in the list of skills, there is no room for", l.Left, len(l.Left), "skills")
}

// skills is "1 skill" or "N skills".
func skills(n int) string {
	if n == 1 {
		return "1 skill"
	}
	return fmt.Sprintf("%d skills", n)
}

// names names the first of some skills, and says how many there are more.
func names(of []Skill, most int) string {
	var parts []string
	for _, s := range of[:min(len(of), most)] {
		parts = append(parts, s.Name)
	}
	text := strings.Join(parts, ", ")
	if more := len(of) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
