package compare

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/turn"
)

// Options are what a replay is made with.
type Options struct {
	// Strategy is this replay's alone.
	Strategy longrein.Strategy
	Profile  Profile
	// Window is the model's context window in tokens; 0 is the profile's.
	Window int
	Limits limit.Set
	// Answers answers the forks; nil is [Offline].
	Answers Answerer
	// Settings, when they name a model, replace the session's, such as for forks
	// that a real provider answers.
	Settings longrein.Settings
	// Watch is shown every request of the worker's and the forks', as it is sent.
	Watch func(Moment)
}

// Moment is a request in a replay. It is only for the time of the call, and
// nothing of it may be changed.
type Moment struct {
	Point   Point
	Fork    string // whose request it is, empty for the worker's
	Request longrein.Request
	Entries []longrein.Entry // that it was made of
	Fresh   int              // of them, initial context
	// Limits are those that bit since the worker's request before.
	Limits []longrein.LimitHit
	// Uses is what the answer to a request of the worker's uses; see [Retained].
	Uses []Use
	// Refused says that the provider does not take a request of the worker's, as too
	// long. Its point is in no [Result].
	Refused bool
}

// Replay replays a session. It fails only when ctx is over or the machine breaks;
// a session that a strategy cannot bring to its end has a [Result] that says so.
func Replay(ctx context.Context, s *Session, o Options) (*Result, error) {
	if o.Answers == nil {
		o.Answers = Offline{}
	}
	r := newReplay(ctx, s, o)
	if err := r.run(); err != nil {
		return nil, fmt.Errorf("replay %s under %s: %w", s.Name, o.Strategy.Name(), err)
	}
	return r.result(), nil
}

// settings are those that every request of the replay is made with.
func settings(s *Session, o Options) longrein.Settings {
	set := s.Settings
	if o.Settings.Model != "" {
		set = o.Settings
		set.Tools = s.Settings.Tools
	} else {
		set.Wire = cmp.Or(o.Profile.Wire, set.Wire)
		set.Dialect = longrein.Dialect{}
		set.Price = o.Profile.Price
	}
	set.Strategy = o.Strategy.Name()
	set.ContextWindow = cmp.Or(o.Window, set.ContextWindow, o.Profile.Window)
	if o.Window > 0 {
		set.ContextSource = "--window"
	}
	set.Model = cmp.Or(set.Model, o.Profile.Name)
	return set
}

// start is when the session began, or a day like any other.
func start(s *Session) time.Time {
	if s.start.Unix() <= 0 {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return s.start.UTC().Truncate(time.Millisecond)
}

// replay is everything outside of a machine: user, provider, tools and clock.
type replay struct {
	ctx   context.Context
	s     *Session
	o     Options
	set   longrein.Settings
	m     *turn.Machine
	now   time.Time
	begun time.Time
	user  time.Duration // that the user took
	queue queue
	cache cache
	sight *sight
	err   error // that ends the replay

	turn, step int   // that come next; the step is one of the turn's
	done       int   // steps, of all turns
	current    *Step // whose calls run
	calls      int   // of the current step, that were started
	open       int   // of them, that run
	busy       int   // answers that the worker waits for
	learned    bool  // the provider has counted a request
	tries      int   // to go on after a turn that failed
	trouble    string
	waits      time.Time     // since when the worker waits for memory
	waited     time.Duration // for it since the worker's last request

	steps    map[int64]int // of the session, by the machine's requests
	asked    longrein.Asked
	beside   map[string]longrein.Asked // the newest of each fork
	notes    memory.Notes
	boundary int64
	summed   int // recorded summaries that were used or passed by
	tally    tally
	hits     []longrein.LimitHit // since the worker's last request
	res      Result
}

func newReplay(ctx context.Context, s *Session, o Options) *replay {
	r := &replay{
		ctx: ctx, s: s, o: o, set: settings(s, o), now: start(s),
		cache: cache{Cache: o.Profile.Cache}, sight: newSight(s.words),
		steps: map[int64]int{}, beside: map[string]longrein.Asked{}, tally: newTally(),
		res: Result{Points: []Point{}, Resets: []Began{}}, // lists, also where they are empty
	}
	r.begun = r.now
	r.m = turn.New(turn.Options{Strategy: o.Strategy, Limits: o.Limits, Stays: len(s.Turns) > 1})
	return r
}

// run lets everything happen, in order.
func (r *replay) run() error {
	r.take(r.m.Begin(r.now, r.s.Thread, r.set))
	r.submit()
	for r.err == nil {
		e := r.queue.next()
		if e == nil {
			break
		}
		if e.at.After(r.now) {
			r.now = e.at
		}
		e.do()
		r.mind()
		if r.ctx.Err() != nil {
			r.err = r.ctx.Err()
		}
	}
	return r.err
}

// tell has the machine take a message in.
func (r *replay) tell(msg turn.Message) { r.take(r.m.Handle(r.now, msg)) }

// take follows the records and starts the effects.
func (r *replay) take(out turn.Out) {
	for _, rec := range out.Records {
		r.note(rec)
	}
	for _, e := range out.Effects {
		switch e := e.(type) {
		case turn.Survey:
			r.survey()
		case turn.Ask:
			r.ask(e)
		case turn.Run:
			r.call(e.Call)
		case turn.AskFork:
			r.askFork(e)
		case turn.CancelFork:
			r.cancelFork(e.Fork)
		case turn.Look:
			r.queue.send(r.now, "", func() { r.tell(turn.Looked{Fork: e.Fork}) })
		case turn.Rest:
			r.rest()
		}
	}
}

// mind measures how long the worker waits for nothing but memory.
func (r *replay) mind() {
	switch waits := r.m.Running() && r.busy == 0; {
	case waits && r.waits.IsZero():
		r.waits = r.now
	case !waits:
		r.stalled()
	}
}

// stalled ends the wait for memory, if there is one.
func (r *replay) stalled() {
	if !r.waits.IsZero() {
		d := r.now.Sub(r.waits)
		r.res.Stall += d
		r.waited += d
		r.waits = time.Time{}
	}
}
