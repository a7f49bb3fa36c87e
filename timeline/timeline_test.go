package timeline

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

// story writes a log in short words:
//
//	ask TEXT      a turn that the user begins, and that ends
//	change TEXT   the same, with snapshots around it: tree N.0 before, N.1 after
//	cut TEXT      a turn that is interrupted
//	on            a turn that goes on with it
//	same TEXT     a turn with snapshots around it that are equal
//	killed TEXT   a turn that does not end, with a snapshot before it
//	half TEXT     a turn without snapshots that does not end; "half" alone goes on
//	broken        an undo that fails half-way
//	back N        a rollback to the end of turn N, 0 to the beginning
//	redo          a rollback of the last one
//	undo N, redo-files
//	folder PATH   later snapshots are of that folder
type story struct {
	t     *testing.T
	line  Timeline
	seq   int64
	turns int
	root  string
	ends  map[int]int64
	undo  Undo
}

func told(t *testing.T, events ...string) *story {
	t.Helper()
	s := &story{t: t, root: "/r", ends: map[int]int64{}}
	s.note(longrein.Thread{ID: "t"}, longrein.Settings{})
	s.ends[0] = s.seq
	for _, e := range events {
		word, rest, _ := strings.Cut(e, " ")
		s.tell(word, rest)
	}
	return s
}

func (s *story) note(bodies ...longrein.Body) {
	for _, b := range bodies {
		s.seq++
		s.line.Note(longrein.Record{Seq: s.seq, Body: b})
	}
}

func (s *story) tell(word, rest string) {
	s.t.Helper()
	var n int
	fmt.Sscan(rest, &n)
	switch word {
	case "ask", "change", "same", "cut", "on", "killed", "half":
		s.turn(word, rest)
	case "broken":
		u, err := s.line.Files(n)
		s.put(u, err, longrein.Undone{Partial: true})
	case "back":
		r, err := s.line.BackTo(n)
		s.roll(r, err)
	case "redo":
		r, err := s.line.Forward()
		s.roll(r, err)
	case "undo":
		u, err := s.line.Files(n)
		s.put(u, err, longrein.Undone{})
	case "redo-files":
		u, err := s.line.Redo()
		s.put(u, err, longrein.Undone{})
	case "folder":
		s.root = rest
	}
}

func (s *story) turn(word, text string) {
	s.turns++
	if asked := word != "on" && text != ""; asked {
		s.note(longrein.Input{Text: text}, longrein.Turn{N: s.turns, State: longrein.TurnStarted})
		s.note(longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: text}}, Input: s.seq - 1})
	} else {
		s.note(longrein.Turn{N: s.turns, State: longrein.TurnStarted})
	}
	end := longrein.TurnEnded
	if word == "cut" {
		end = longrein.TurnInterrupted
	}
	if word != "ask" && word != "half" {
		s.snapshot(longrein.SnapshotBefore, ".0")
		switch word {
		case "killed":
		case "same":
			s.snapshot(longrein.SnapshotAfter, ".0")
		default:
			s.snapshot(longrein.SnapshotAfter, ".1")
		}
	}
	if word != "killed" && word != "half" {
		s.note(longrein.Turn{N: s.turns, State: end})
	}
	s.ends[s.turns] = s.seq
}

func (s *story) snapshot(when longrein.SnapshotTime, name string) {
	s.note(longrein.Snapshot{When: when, Turn: s.turns, Root: s.root, Tree: fmt.Sprint(s.turns, name)})
}

func (s *story) roll(r longrein.Rollback, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	s.note(r, longrein.Window{})
}

func (s *story) put(u Undo, err error, b longrein.Undone) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	s.undo = u
	b.Turn, b.Root, b.From, b.To, b.Redo = u.Turn, u.Root, "from", "to", u.Redo
	s.note(b)
}

// seen lists the turns: hidden ones in brackets, undone ones with a minus.
func (s *story) seen() string {
	var out []string
	for _, turn := range s.line.Turns() {
		text := strings.Join(turn.Inputs, "+")
		if turn.Undone {
			text = "-" + text
		}
		if turn.Hidden {
			text = "[" + text + "]"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestWhatTheModelSeesAndWhatStands(t *testing.T) {
	for name, c := range map[string]struct {
		events []string
		want   string
	}{
		"plain":                              {[]string{"ask a", "ask b"}, "a b"},
		"one back":                           {[]string{"ask a", "ask b", "back 1"}, "a [b]"},
		"all back":                           {[]string{"ask a", "ask b", "back 0"}, "[a] [b]"},
		"back and on":                        {[]string{"ask a", "ask b", "back 1", "ask c"}, "a [b] c"},
		"back over a rollback":               {[]string{"ask a", "ask b", "back 1", "ask c", "back 0"}, "[a] [b] [c]"},
		"a rollback taken back":              {[]string{"ask a", "ask b", "back 1", "redo"}, "a b"},
		"taken back, with what came since":   {[]string{"ask a", "ask b", "back 1", "ask c", "redo"}, "a b [c]"},
		"two rollbacks, both taken back":     {[]string{"ask a", "ask b", "back 1", "back 0", "redo", "redo"}, "a b"},
		"a rollback after a redo":            {[]string{"ask a", "ask b", "back 1", "redo", "back 0"}, "[a] [b]"},
		"a turn that goes on is one":         {[]string{"ask a", "cut b", "on", "ask c"}, "a b c"},
		"files undone":                       {[]string{"change a", "change b", "undo"}, "a -b"},
		"files undone twice":                 {[]string{"change a", "change b", "undo", "undo"}, "-a -b"},
		"files undone to a turn":             {[]string{"change a", "ask b", "change c", "undo 2"}, "a b -c"},
		"and redone":                         {[]string{"change a", "change b", "undo", "redo-files"}, "a b"},
		"undo skips what changed nothing":    {[]string{"change a", "ask b", "undo"}, "-a -b"},
		"files stay when a turn is hidden":   {[]string{"change a", "change b", "back 1", "undo"}, "a [-b]"},
		"a change after an undo is its own":  {[]string{"change a", "undo", "change b"}, "-a b"},
		"undo skips what left files alone":   {[]string{"change a", "same b", "undo"}, "-a -b"},
		"a failed undo undoes nothing":       {[]string{"change a", "change b", "broken"}, "a b"},
		"done again, it does":                {[]string{"change a", "change b", "broken", "undo"}, "a -b"},
		"a turn that goes on is not counted": {[]string{"ask a", "cut b", "half", "back 1"}, "a [b] []"},
		"an undo of what came after an undo": {[]string{"change a", "change b", "undo", "change c", "undo"}, "a -b -c"},
	} {
		if got := told(t, c.events...).seen(); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestAnUndoNamesWhatTheTurnsDid(t *testing.T) {
	s := told(t, "change a", "ask b", "cut c", "on", "change d", "undo 2")
	want := Undo{Turn: 3, Root: "/r", Spans: []Span{{"3.0", "3.1"}, {"4.0", "4.1"}, {"5.0", "5.1"}}}
	if d := cmp.Diff(want, s.undo); d != "" {
		t.Error(d)
	}
	s.tell("redo-files", "")
	if d := cmp.Diff(Undo{Turn: 3, Root: "/r", Spans: []Span{{"from", "to"}}, Redo: true, Seq: s.seq - 1}, s.undo); d != "" {
		t.Error(d)
	}
}

func TestAnUndoOfACutTurn(t *testing.T) {
	for name, c := range map[string]struct {
		events []string
		want   []Span
	}{
		"nobody knows how it left the files":     {[]string{"change a", "killed b"}, []Span{{"2.0", ""}}},
		"nor how what went on with it left them": {[]string{"cut a", "killed "}, []Span{{"2.0", ""}}},
		"what a user did between is not its own": {[]string{"cut a", "on"}, []Span{{"1.0", "1.1"}, {"2.0", "2.1"}}},
		"what went on changed nothing":           {[]string{"cut a", "half"}, []Span{{"1.0", "1.1"}}},
	} {
		s := told(t, c.events...)
		u, err := s.line.Files(0)
		if d := cmp.Diff(c.want, u.Spans); err != nil || d != "" {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
	}
}

func TestTurnsInDifferentFoldersAreUndoneOneByOne(t *testing.T) {
	s := told(t, "change a", "folder /other", "change b")
	if _, err := s.line.Files(1); err == nil || !strings.Contains(err.Error(), "turn 1 changed files in /r, and turn 2 in /other") {
		t.Error(err)
	}
	for _, want := range []Undo{
		{Turn: 2, Root: "/other", Spans: []Span{{"2.0", "2.1"}}},
		{Turn: 1, Root: "/r", Spans: []Span{{"1.0", "1.1"}}},
	} {
		s.tell("undo", "")
		if d := cmp.Diff(want, s.undo); d != "" {
			t.Error(d)
		}
	}
	s = told(t, "change a", "cut b", "folder /other", "on")
	if u, err := s.line.Files(0); err != nil || u.Root != "/other" {
		t.Errorf("what went on elsewhere: %+v, %v", u, err)
	}
	if r, err := s.line.Back(1); err != nil || r.To != s.ends[1] {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestAnUndoSaysWhyThereIsNoSnapshot(t *testing.T) {
	s := told(t, "ask a", "half b")
	s.note(longrein.Snapshot{When: longrein.SnapshotBefore, Turn: 2, Root: "/r", Why: "git is not installed"})
	for n := range 2 {
		if _, err := s.line.Files(n); !errors.Is(err, ErrNothing) || !strings.HasSuffix(err.Error(), "as far as snapshots tell; turn 2 has none: git is not installed") {
			t.Error(err)
		}
	}
}

func TestTheFirstInputBelongsToItsTurn(t *testing.T) {
	s := told(t, "ask a")
	if at, err := s.line.End(0); err != nil || at != 2 {
		t.Errorf("turn 0 ends at %d, %v", at, err)
	}
	s = told(t)
	s.note(longrein.Input{Text: "a"}, longrein.Input{Text: "b"}, longrein.Turn{N: 1, State: longrein.TurnStarted})
	if at, err := s.line.End(0); err != nil || at != 2 {
		t.Errorf("of two inputs: turn 0 ends at %d, %v", at, err)
	}
	if r, err := s.line.Back(1); err != nil || r.To != 2 {
		t.Errorf("a turn that has not taken its input yet: %+v, %v", r, err)
	}
	s = told(t)
	s.note(longrein.Input{Text: "a"}, longrein.Settings{}, longrein.Turn{N: 1, State: longrein.TurnStarted})
	if at, err := s.line.End(0); err != nil || at != 2 {
		t.Errorf("of one that had waited: turn 0 ends at %d, %v", at, err)
	}
}

func TestWhereTurnsBeginAndEnd(t *testing.T) {
	s := told(t, "ask a", "ask b", "ask c")
	for n := range 4 {
		if got, err := s.line.End(n); err != nil || got != s.ends[n] {
			t.Errorf("turn %d ends at %d, %v, want %d", n, got, err, s.ends[n])
		}
	}
	if r, err := s.line.Back(2); err != nil || r != (longrein.Rollback{To: s.ends[1], Turns: 2}) {
		t.Errorf("got %+v, %v", r, err)
	}
	s.note(longrein.Turn{N: 4, State: longrein.TurnStarted})
	if _, err := s.line.End(4); err == nil {
		t.Error("a running turn has an end")
	}
}

func TestARollbackWithoutItsWindowTookNoEffect(t *testing.T) {
	s := told(t, "ask a", "ask b")
	s.note(longrein.Rollback{To: s.ends[1], Turns: 1}, longrein.Turn{N: 3, State: longrein.TurnStarted})
	if got := s.seen(); !strings.HasPrefix(got, "a b") {
		t.Errorf("got %q", got)
	}
}

func TestARollbackWhoseWindowIsDamagedTookNoEffect(t *testing.T) {
	s := told(t, "ask a", "ask b")
	s.note(longrein.Rollback{To: s.ends[1], Turns: 1})
	s.seq++ // the line that cannot be read
	s.note(longrein.Window{})
	if got := s.seen(); got != "a b" {
		t.Errorf("got %q", got)
	}
}

func TestARedoSaysWhatItHides(t *testing.T) {
	s := told(t, "ask a", "ask b", "back 1", "ask c", "cut d", "on")
	if r, err := s.line.Forward(); err != nil || r.Turns != 2 || !r.Redo {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestATurnThatLeftFilesAloneIsInNoRedosWay(t *testing.T) {
	s := told(t, "change a", "undo", "same b", "redo-files")
	if !s.undo.Redo {
		t.Errorf("got %+v", s.undo)
	}
}

func TestNothingToTakeBack(t *testing.T) {
	for name, err := range map[string]error{
		"no turn":                     second(told(t).line.Back(1)),
		"all is hidden":               second(told(t, "ask a", "back 0").line.Back(1)),
		"the last turn":               second(told(t, "ask a").line.BackTo(1)),
		"no rollback":                 second(told(t, "ask a").line.Forward()),
		"no files":                    second(told(t, "ask a").line.Files(0)),
		"no files from there":         second(told(t, "change a", "ask b").line.Files(2)),
		"no undo":                     second(told(t, "change a").line.Redo()),
		"a change since the undo":     second(told(t, "change a", "undo", "change b").line.Redo()),
		"a redo was the last of them": second(told(t, "ask a", "ask b", "back 1", "redo").line.Forward()),
	} {
		if !errors.Is(err, ErrNothing) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"more than there are":     second(told(t, "ask a").line.Back(2)),
		"none":                    second(told(t, "ask a").line.Back(0)),
		"a turn that is hidden":   second(told(t, "ask a", "ask b", "back 1").line.BackTo(2)),
		"a turn that there isn't": second(told(t, "ask a").line.BackTo(9)),
	} {
		if err == nil || errors.Is(err, ErrNothing) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestWhatWaits(t *testing.T) {
	s := told(t, "ask a")
	s.note(longrein.Input{Text: "b"}, longrein.Input{Text: "c"})
	took := s.seq - 1
	s.note(longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: "b"}}, Input: took})
	if got := s.line.Waiting(); len(got) != 1 || got[0].Text != "c" {
		t.Errorf("got %v, want c", got)
	}
	s.note(longrein.Window{})
	if got := s.line.Waiting(); len(got) != 0 {
		t.Errorf("after a window without any %v wait", got)
	}
}
