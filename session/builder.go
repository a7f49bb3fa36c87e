package session

import (
	"cmp"
	"strings"
	"time"

	"github.com/longrein/longrein"
)

// builder makes a session of what a parser finds, in the order of the file.
type builder struct {
	*tally
	s      *Session
	now    time.Time
	node   int32
	items  int              // so far
	steps  map[string]*Step // by the key of their response, in this turn
	step   *Step            // that takes further items; nil when the next one begins a response
	newest *Step            // the last response
	turn   bool             // a turn runs
	calls  calls
}

func newBuilder(t *tally, format Format) *builder {
	return &builder{tally: t, s: &Session{Format: format}, node: -1}
}

// clock sets the time of what follows. One that is missing changes nothing.
func (b *builder) clock(t time.Time) {
	if t.IsZero() {
		return
	}
	if b.s.Started.IsZero() {
		b.s.Started = t
	}
	b.now = t
}

func (b *builder) add(w What) {
	b.items++
	b.s.Moments = append(b.s.Moments, Moment{
		Time: b.now, Line: b.tally.at, What: w, node: b.node, taken: b.Taken, items: b.items,
	})
}

// input is what the user said; what the tool wove into it is taken out.
func (b *builder) input(text string, steer bool) {
	said := query(b.sift(text))
	if said == "" {
		return
	}
	if !steer || !b.turn {
		b.begin()
	}
	b.add(Input{Text: said, Steer: steer && b.turn})
	b.turn, b.step = true, nil
}

// sift inserts what a tool put into a text, and returns what the user said.
func (b *builder) sift(text string) string {
	inserted, said := split(text)
	for _, f := range inserted {
		b.insert(f)
	}
	if strings.TrimSpace(said) == "" {
		return ""
	}
	return said
}

// query is what a user said without the tag that Cursor puts around it.
func query(said string) string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(said), "<user_query>")
	if !ok {
		return said
	}
	return strings.TrimSpace(strings.TrimSuffix(inner, "</user_query>"))
}

// begin ends the turn that runs, for another one.
func (b *builder) begin() {
	b.end(longrein.TurnEnded, nil)
	clear(b.steps)
}

// end ends the turn that runs, if any. One that leaves calls open was
// interrupted.
func (b *builder) end(state longrein.TurnState, err *longrein.TurnError) {
	b.step = nil
	if !b.turn {
		return
	}
	b.turn = false
	if b.calls.leave() > 0 && state == longrein.TurnEnded {
		state = longrein.TurnInterrupted
	}
	b.add(TurnEnd{State: state, Error: err})
}

func (b *builder) fail(text string) {
	b.end(longrein.TurnFailed, &longrein.TurnError{Kind: longrein.ErrInternal, Text: cmp.Or(text, "the recording does not say why")})
}

func (b *builder) insert(f longrein.Fragment) {
	if strings.TrimSpace(f.Text) == "" {
		return
	}
	if f.Role == "" {
		f.Role = longrein.RoleUser
	}
	f.Text = longrein.NewFragment(f.Tag, f.Text).Text // nobody vouches for what stands in a file
	b.add(Inserted{f})
}

// respond returns the step of a response. With a key, all that has it in this
// turn is one response; without, what follows on another model's item is.
func (b *builder) respond(key string) *Step {
	if key != "" {
		if s := b.steps[key]; s != nil {
			b.step = s
			return s
		}
	} else if b.step != nil {
		return b.step
	}
	s := &Step{at: len(b.s.Moments)}
	b.add(s)
	b.step, b.newest = s, s
	if key != "" {
		if b.steps == nil {
			b.steps = map[string]*Step{}
		}
		b.steps[key] = s
	}
	return s
}

// say adds what the model said.
func (b *builder) say(key, text string) {
	if text != "" {
		s := b.respond(key)
		b.make(s, longrein.Message{Role: longrein.RoleAssistant, Text: text})
	}
}

func (b *builder) think(key string, r longrein.Reasoning) {
	if r.Text != "" || len(r.Raw) > 0 {
		b.make(b.respond(key), r)
	}
}

func (b *builder) make(s *Step, it longrein.Item) {
	s.Items = append(s.Items, it)
	b.items++
}

// answered notes who answered and what it took. The same answer may be told
// several times; the last one counts.
func (b *builder) answered(s *Step, model string, u longrein.Usage) {
	if model != "" {
		s.Model = model
		b.s.Model = cmp.Or(b.s.Model, model)
	}
	if u.Reported {
		s.Usage = u
	}
}

func (b *builder) compact(c Compaction) {
	b.Compactions++
	b.step = nil
	if c.From >= 0 && c.From < len(b.s.Moments) && !b.carry(b.items-b.s.Moments[c.From].items) {
		c.From = -1
	}
	clear(b.steps)
	b.add(c)
}

// finish settles what is still open.
func (b *builder) finish() *Session {
	b.settle()
	b.end(longrein.TurnEnded, nil)
	if b.s.Cwd == "" {
		b.s.Cwd = b.s.folder()
	}
	b.s.touch()
	return b.s
}
