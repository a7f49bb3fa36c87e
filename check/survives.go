package check

import (
	"fmt"
	"strings"

	"github.com/longrein/longrein/compare"
)

var survivesKind = kind{
	name:    "survives",
	what:    "once a request shows the text, every later one does too, through for_windows new windows if that is set; white space may differ, nothing else",
	needs:   [][]string{{"text"}},
	takes:   []string{"for_windows"},
	example: "text = \"Never touch the generated files.\"\nfor_windows = 3\n",
	says: func(r Rule) string {
		if r.Windows == 0 {
			return quote(r.Text) + " stays in every request"
		}
		return fmt.Sprintf("%s survives %s", quote(r.Text), count(r.Windows, "new window"))
	},
	judge: func(r Rule, _ scene) judge {
		first, _, _ := strings.Cut(r.Text, " ")
		return &survives{windows: r.Windows, shows: remember(func(text string) bool {
			return strings.Contains(text, first) && strings.Contains(normal(text), r.Text)
		})}
	},
}

// survives follows a text from the request that shows it first.
type survives struct {
	windows int
	shows   func(string) bool
	visible bool
	since   compare.Point // has no step before it appears
	last    compare.Point
}

func (s *survives) see(r request) *finding {
	if !r.worker() {
		return nil
	}
	s.visible = s.visible && !r.began
	for t := range r.texts {
		s.visible = s.visible || s.shows(t.text)
	}
	appeared := s.since.Step > 0
	switch {
	case s.visible && !appeared:
		s.since = r.Point
	case !s.visible && appeared && s.judges(r.Point.Window):
		return at(r.Point, "the requests of steps %d to %d show it, and this one does not", s.since.Step, s.last.Step)
	}
	s.last = r.Point
	return nil
}

// judges reports whether the text is to be in that window.
func (s *survives) judges(window int) bool {
	return s.windows == 0 || window <= s.since.Window+s.windows
}

func (s *survives) end(*compare.Result) *finding {
	if s.since.Step == 0 {
		return nothing("no request shows the text; it has to stand in the session letter by letter")
	}
	if n := s.last.Window - s.since.Window; n < s.windows {
		return nothing("after step %d, which shows the text first, there is %s; a smaller window makes more", s.since.Step, count(n, "new window"))
	}
	return nil
}

// remember is f, asked once for each text. Texts of one session come again at the
// head of a window and in forks.
func remember(f func(string) bool) func(string) bool {
	known := map[string]bool{}
	return func(text string) bool {
		is, ok := known[text]
		if !ok {
			is = f(text)
			known[text] = is
		}
		return is
	}
}
