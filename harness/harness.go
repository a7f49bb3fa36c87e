package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/environ"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/thread"
	"github.com/longrein/longrein/tool"
	"github.com/longrein/longrein/turn"
)

// Options are what a harness is made with.
type Options struct {
	Settings *config.Settings
	Cwd      string // absolute
	Version  string // of the program, for logs and User-Agent
	// Ephemeral threads leave nothing behind.
	Ephemeral bool
	// CanAsk says that somebody watches who can answer approvals. Without it
	// whatever would have to be asked is refused.
	CanAsk bool
	// Model replaces the provider that the settings name, for tests and for
	// programs with a model of their own.
	Model longrein.Model
	// Strategy replaces the one that the settings name. It is called for each
	// thread that is opened.
	Strategy func() longrein.Strategy
	// Stays says that the process goes on when a turn has ended, so that memory
	// may work then.
	Stays bool
	// Tools are offered to the model after the built-in ones. They run without a
	// sandbox and without asking.
	Tools []longrein.Tool
	// Notify is told, in one sentence, what a user should know. It may be nil.
	Notify func(text string)
	Env    []string // as from os.Environ
}

// Harness opens threads. It is safe for concurrent use.
type Harness struct {
	opts    Options
	store   *rollout.Store
	secrets secrecy
	// provided names the variables that commands see although they look secret.
	provided []string
}

// New returns a harness. It touches nothing on disk yet.
func New(o Options) *Harness {
	if o.Notify == nil {
		o.Notify = func(string) {}
	}
	return &Harness{
		opts:  o,
		store: &rollout.Store{Root: o.Settings.Paths.Data, Limits: o.Settings.Limits},
	}
}

// Store is where the harness's logs and blobs are.
func (h *Harness) Store() *rollout.Store { return h.store }

// CheckPrompt returns a [*thread.PromptError] for an input that is too long.
func (h *Harness) CheckPrompt(text string) error {
	return thread.CheckPrompt(h.opts.Settings.Limits, text)
}

// Start begins a thread.
func (h *Harness) Start(ctx context.Context) (*thread.Thread, error) {
	c, err := h.choose(ctx, longrein.Settings{})
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("make a thread id: %w", err)
	}
	store, log, err := h.create(id.String())
	if err != nil {
		return nil, err
	}
	strategy, book := h.remember(store, id.String())
	tools, set := h.equip(store, c, book)
	t := h.open(id.String(), store, log, turn.New(h.machine(tools, strategy)), c, tools, book)
	if err := t.Begin(ctx, h.first(id.String(), set), set); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// create makes the log, on disk or, for an ephemeral thread, in memory with its
// blobs in a temporary folder.
func (h *Harness) create(id string) (*rollout.Store, thread.Log, error) {
	if !h.opts.Ephemeral {
		log, err := h.store.Create(id)
		return h.store, log, err
	}
	dir := filepath.Join(os.TempDir(), "longrein-"+id) // made with the first blob, if any
	store := &rollout.Store{Root: dir, Limits: h.opts.Settings.Limits}
	return store, vanishing{rollout.Memory(), dir}, nil
}

// vanishing removes an ephemeral thread's blobs with its log.
type vanishing struct {
	*rollout.MemoryLog
	dir string
}

func (v vanishing) Close() error {
	return errors.Join(v.MemoryLog.Close(), os.RemoveAll(v.dir))
}

func (h *Harness) first(id string, set longrein.Settings) longrein.Thread {
	git := environ.Git(h.opts.Cwd)
	return longrein.Thread{
		ID: id, Cwd: h.opts.Cwd, Version: h.opts.Version, Format: longrein.LogFormat,
		Model: set.Model, Branch: git.Branch, Commit: git.Commit,
		Base: h.Base(set.Model),
	}
}

// Resume opens a thread for writing. It keeps the thread's own provider, model and
// effort unless flags name others; everything else is as the settings of now say.
// Nothing runs until it is told to.
func (h *Harness) Resume(ctx context.Context, id string) (*thread.Thread, error) {
	log, tail, err := h.store.Open(id)
	if err != nil {
		return nil, err
	}
	t, err := h.resume(ctx, id, log, tail)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return t, nil
}

func (h *Harness) resume(ctx context.Context, id string, log *rollout.Log, tail *rollout.Tail) (*thread.Thread, error) {
	for _, w := range tail.Warnings {
		h.opts.Notify(w)
	}
	if tail.Thread.ID == "" {
		return nil, fmt.Errorf("the log of thread %s is empty: it was cut off before anything was recorded", id)
	}
	before := Latest(tail)
	c, err := h.choose(ctx, before)
	if err != nil {
		return nil, err
	}
	strategy, book := h.remember(h.store, id)
	tools, set := h.equip(h.store, c, book)
	set = h.adopt(set, before)
	m := turn.New(h.machine(tools, strategy))
	if err := m.Load(records(tail)...); err != nil {
		return nil, fmt.Errorf("open thread %s: %w", id, err)
	}
	book.learn(strategy)
	t := h.open(id, h.store, log, m, c, tools, book)
	if !reflect.DeepEqual(set, before) {
		if err := t.Change(ctx, set); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	return t, nil
}

// adopt keeps what belongs to the thread: what it has learned about its server,
// and how hard its model thinks unless a flag says otherwise. Sandbox and
// approval are always those of now.
func (h *Harness) adopt(set, before longrein.Settings) longrein.Settings {
	if set.Provider != before.Provider || set.Model != before.Model {
		return set
	}
	if set.Dialect.Server == before.Dialect.Server && len(before.Dialect.Omit) > 0 {
		set.Dialect.Omit = before.Dialect.Omit
	}
	if !h.byFlag("effort") {
		set.Effort = before.Effort
	}
	return set
}

// Latest returns the settings that a thread's next window would begin with.
func Latest(tail *rollout.Tail) longrein.Settings {
	var s longrein.Settings
	for _, r := range tail.Records {
		switch b := r.Body.(type) {
		case longrein.Settings:
			s = b
		case longrein.Window:
			s = b.Settings
		}
	}
	return s
}

// records returns a tail with the log's first record before it.
func records(tail *rollout.Tail) []longrein.Record {
	if len(tail.Records) > 0 && tail.Records[0].Seq == 1 {
		return tail.Records
	}
	return append([]longrein.Record{{Seq: 1, Body: tail.Thread}}, tail.Records...)
}

func (h *Harness) machine(tools *equipment, strategy longrein.Strategy) turn.Options {
	return turn.Options{
		Strategy:  strategy,
		Limits:    h.opts.Settings.Limits,
		Stays:     h.opts.Stays,
		ReadOnly:  tools.ReadOnly,
		Snapshots: h.takes(),
	}
}

// equipment is a thread's tools, and the way for them to ask.
type equipment struct {
	*tool.Set
	ask longrein.Ask
}

// equip makes the tools and completes the settings with their specs.
func (h *Harness) equip(store *rollout.Store, c choice, book *notebook) (*equipment, longrein.Settings) {
	s := h.opts.Settings
	e := &equipment{}
	o := tool.Options{
		Cwd: h.opts.Cwd, Home: s.Paths.Data, Protected: []string{s.Paths.Config}, Notes: book.place(),
		Sandbox: tool.Mode(s.Sandbox), Approval: tool.Approval(s.Approval),
		Blobs: store, Limits: s.Limits, Network: s.Tools.Network, Writable: s.Tools.Writable,
		Env:   tool.EnvRules{Deny: append(h.keyVariables(), s.Tools.EnvDeny...), Keep: slices.Concat(s.Tools.EnvKeep, h.provided)},
		Extra: h.opts.Tools,
	}
	if r := h.redactor(); r != nil {
		o.Redact = r
	}
	if h.opts.CanAsk {
		o.Ask = func(ctx context.Context, a longrein.Approval) longrein.Approval { return e.ask(ctx, a) }
	}
	e.Set = tool.Builtin(o)
	set := c.settings
	set.Tools = e.Specs()
	return e, set
}

// keyVariables names the variables that hold providers' keys.
func (h *Harness) keyVariables() []string {
	var names []string
	for _, p := range sorted(h.opts.Settings.Providers) {
		if p.Key.Env != "" {
			names = append(names, p.Key.Env)
		}
	}
	return names
}

func (h *Harness) open(id string, store *rollout.Store, log thread.Log, m *turn.Machine, c choice, tools *equipment, book *notebook) *thread.Thread {
	o := thread.Options{
		ID: id, Machine: m, Log: log, Model: c.model, Limits: h.opts.Settings.Limits,
		Now:    func() time.Time { return time.Now().UTC() },
		Notes:  book,
		Redact: h.redactInput(),
		Survey: h.lookout(book, c.settings).survey,
		Snap:   h.camera(id).snap,
		Tools: func(ask longrein.Ask) thread.Tools {
			tools.ask = ask
			return tools
		},
	}
	if !h.opts.Ephemeral {
		o.Replay = func(after int64) func(func(longrein.Record, error) bool) {
			return store.From(id, after)
		}
	}
	return thread.New(o)
}
