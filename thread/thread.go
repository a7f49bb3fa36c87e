package thread

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/turn"
	"github.com/longrein/longrein/wire"
)

// Log is where records go. Append gives them the numbers that follow and returns
// once they are written, and durable when sync is set.
type Log interface {
	Append(now time.Time, sync bool, bodies ...longrein.Body) ([]longrein.Record, error)
	Close() error
}

// Tools runs tool calls. Known is false for a call that cannot be run at all.
type Tools interface {
	Run(ctx context.Context, call longrein.ToolCall) longrein.ToolResult
	Known(call longrein.ToolCall) bool
}

// Notes is where a thread's notes can be read. Publish brings a new version
// there; Look says what a user has made of them. Both may be called at any time.
type Notes interface {
	Publish(n longrein.Notes) error
	Look() turn.Looked
}

// Options is what a thread is made of. All fields but Limits, Notes and Replay are
// required.
type Options struct {
	ID      string
	Machine *turn.Machine // loaded; the thread owns it from now on
	Log     Log           // open for writing; the thread closes it
	Model   longrein.Model
	Tools   func(longrein.Ask) Tools
	Survey  func(context.Context, turn.Survey) turn.Surveyed
	Snap    func(context.Context, turn.Snap) turn.Snapped // nil unless the machine wants snapshots
	Notes   Notes                                         // nil: they are only in the log
	Limits  limit.Set
	// Redact takes secrets out of what a user says, before it is recorded, and says
	// how many there were. Nil leaves it as it is.
	Redact func(text string) (string, int)
	Now    func() time.Time
	// Replay yields the log's records after a sequence number, for a watcher
	// that has fallen behind. Nil means that it misses them.
	Replay func(after int64) func(yield func(longrein.Record, error) bool)
}

// ErrClosed is returned by every op on a thread that has been closed.
var ErrClosed = errors.New("the thread is closed")

// Thread is a running conversation.
type Thread struct {
	opts  Options
	tools Tools
	ops   chan op
	msgs  chan turn.Message
	quit  chan struct{} // closed when the loop must end
	done  chan struct{} // closed when it has
	hub   hub
	end   sync.Once

	// Only the loop touches what follows.
	life    context.Context // of everything that runs
	stop    context.CancelFunc
	work    context.Context // of what an interrupt ends
	cancel  context.CancelFunc
	forks   map[string]context.CancelFunc
	shelf   chan longrein.Notes // to be published, nil before the first
	shelved chan struct{}       // closed when all are
	waiting map[string]question
	resting []chan error
	broken  error
}

type op struct {
	do    func(*Thread) error
	reply chan error
}

// New starts the thread's goroutine. Nothing happens until the first op.
func New(o Options) *Thread {
	t := &Thread{
		opts:    o,
		ops:     make(chan op, o.Limits.Int(limit.Queue)),
		msgs:    make(chan turn.Message),
		quit:    make(chan struct{}),
		done:    make(chan struct{}),
		waiting: map[string]question{},
		forks:   map[string]context.CancelFunc{},
	}
	t.hub.limit = o.Limits.Int(limit.WatchQueue)
	t.life, t.stop = context.WithCancel(context.Background())
	t.work, t.cancel = context.WithCancel(t.life)
	t.tools = o.Tools(t.ask)
	go t.loop()
	return t
}

// ID returns the thread's id.
func (t *Thread) ID() string { return t.opts.ID }

func (t *Thread) loop() {
	defer close(t.done)
	for {
		select {
		case o := <-t.ops:
			o.reply <- o.do(t)
		case m := <-t.msgs:
			t.handle(m)
		case <-t.quit:
			t.stop()
			return
		}
	}
}

// do runs f in the loop. It blocks while the queue is full.
func (t *Thread) do(ctx context.Context, f func(*Thread) error) error {
	o := op{do: f, reply: make(chan error, 1)}
	select {
	case t.ops <- o:
	case <-ctx.Done():
		return ctx.Err()
	case <-t.done:
		return ErrClosed
	}
	select {
	case err := <-o.reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-t.done:
		return ErrClosed
	}
}

// tell hands the machine a message and waits until its records are durable.
func (t *Thread) tell(ctx context.Context, m turn.Message) error {
	return t.do(ctx, func(t *Thread) error {
		t.handle(m)
		return t.broken
	})
}

// report hands the loop the end of something that ran outside it.
func (t *Thread) report(m turn.Message) {
	select {
	case t.msgs <- m:
	case <-t.done:
	}
}

// Begin records a new thread and its settings. Their wire must be one that there
// is.
func (t *Thread) Begin(ctx context.Context, first longrein.Thread, s longrein.Settings) error {
	if _, err := wire.For(s.Wire); err != nil {
		return err
	}
	return t.do(ctx, func(t *Thread) error {
		t.apply(t.opts.Machine.Begin(t.opts.Now(), first, s))
		return t.broken
	})
}

// Submit gives the thread a user's input. It starts a turn, or waits for the end
// of the one that runs; one that was cut off goes on. An input over limit.Prompt is refused.
func (t *Thread) Submit(ctx context.Context, text string) error {
	return t.input(ctx, text, func(text string) turn.Message { return turn.Submit{Text: text} })
}

// Steer gives the running turn an input, which it takes at its next safe point.
func (t *Thread) Steer(ctx context.Context, text string) error {
	return t.input(ctx, text, func(text string) turn.Message { return turn.Steer{Text: text} })
}

func (t *Thread) input(ctx context.Context, text string, message func(string) turn.Message) error {
	if err := CheckPrompt(t.opts.Limits, text); err != nil {
		return err
	}
	if t.opts.Redact == nil {
		return t.tell(ctx, message(text))
	}
	text, n := t.opts.Redact(text)
	if n > 0 {
		w := longrein.Warning{Text: fmt.Sprintf("what looks like a secret in your input (%d found) became a placeholder before it was recorded; privacy.redact = false keeps it", n)}
		if err := t.tell(ctx, turn.Warn{Warning: w}); err != nil {
			return err
		}
	}
	return t.tell(ctx, message(text))
}

// CheckPrompt returns a [*PromptError] for an input that is too long. It lets a
// program refuse one before it begins a thread for it.
func CheckPrompt(l limit.Set, text string) error {
	if most := l.Of(limit.Prompt); int64(len(text)) > most {
		return &PromptError{Bytes: int64(len(text)), Limit: most}
	}
	return nil
}

// PromptError says that an input was longer than limit.Prompt allows.
type PromptError struct{ Bytes, Limit int64 }

// Error names both sizes and the way out.
func (e *PromptError) Error() string {
	return fmt.Sprintf("the prompt has %d bytes and the limit %s is %d: put it into a file and use --file, or raise the limit",
		e.Bytes, limit.Prompt.Name, e.Limit)
}

// Interrupt stops the running turn; what was recorded stays.
func (t *Thread) Interrupt(ctx context.Context) error { return t.tell(ctx, turn.Interrupt{}) }

// Resume goes on with what was cut off; it does nothing when nothing was.
func (t *Thread) Resume(ctx context.Context) error { return t.tell(ctx, turn.Resume{}) }

// Renew begins a new window, as the thread's strategy makes one, without waiting
// for it to be due. A turn that runs takes it at its next safe point; Wait returns
// when it has begun otherwise.
func (t *Thread) Renew(ctx context.Context) error { return t.tell(ctx, turn.Renew{}) }

// Change sets what the next window begins with. The wire must be one that there
// is.
func (t *Thread) Change(ctx context.Context, s longrein.Settings) error {
	if _, err := wire.For(s.Wire); err != nil {
		return err
	}
	return t.tell(ctx, turn.Change{Settings: s})
}

// Pin has every new window carry an item on, or no longer; see [longrein.Pinned].
func (t *Thread) Pin(ctx context.Context, p longrein.Pinned) error {
	return t.tell(ctx, turn.Pin{Pinned: p})
}

// ErrBusy is returned for what cannot be done while a turn runs.
var ErrBusy = errors.New("a turn runs; interrupt it or wait for its end")

// Rollback takes the thread back; see [turn.Rollback]. While a turn runs the error
// is [ErrBusy]; one that was cut off does not run.
func (t *Thread) Rollback(ctx context.Context, r turn.Rollback) error { return t.idle(ctx, r) }

// Undo records that files were put back; see [turn.Undo]. While a turn runs the
// error is [ErrBusy].
func (t *Thread) Undo(ctx context.Context, u turn.Undo) error { return t.idle(ctx, u) }

// idle hands the machine a message if nothing runs.
func (t *Thread) idle(ctx context.Context, m turn.Message) error {
	return t.do(ctx, func(t *Thread) error {
		if !t.opts.Machine.Resting() {
			return ErrBusy
		}
		t.handle(m)
		return t.broken
	})
}

// Look runs f on the machine as it stands, between two messages. f must not keep
// what it is shown.
func (t *Thread) Look(ctx context.Context, f func(*turn.Machine)) error {
	return t.do(ctx, func(t *Thread) error {
		f(t.opts.Machine)
		return nil
	})
}

// Wait returns when no turn runs. A turn that was cut off does not run until
// something picks it up. When the log fails, so does Wait.
func (t *Thread) Wait(ctx context.Context) error {
	rest := make(chan error, 1)
	err := t.do(ctx, func(t *Thread) error {
		t.resting = append(t.resting, rest)
		if t.opts.Machine.Resting() || t.broken != nil {
			t.rest()
		}
		return nil
	})
	if err != nil {
		return err
	}
	select {
	case err := <-rest:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-t.done:
		return ErrClosed
	}
}

// Close interrupts the running turn, waits up to limit.StopGrace for it to come
// to rest, and closes the log. All calls but the first wait for it and return
// [ErrClosed].
func (t *Thread) Close() error {
	err := ErrClosed
	t.end.Do(func() { err = t.close() })
	return err
}

func (t *Thread) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), t.opts.Limits.Duration(limit.StopGrace))
	defer cancel()
	if err := t.Interrupt(ctx); err == nil {
		_ = t.Wait(ctx) // what could not come to rest is picked up by the next resume
		_ = t.tell(ctx, turn.Leave{})
	}
	close(t.quit)
	<-t.done
	if t.shelf != nil {
		close(t.shelf)
		<-t.shelved
	}
	t.hub.close()
	return t.opts.Log.Close()
}
