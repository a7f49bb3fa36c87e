package provider

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Watchdog returns m with an end to silence: a response that does not begin
// within the limit first-byte, or then is silent for the limit stream-idle,
// fails with a [*longrein.ModelError] of the kind [longrein.ErrIdle]. Bytes that
// a client of [NewHTTP] receives count as life even when no event comes of
// them, because servers send comments while a model thinks. The time that the
// caller takes for an event does not count.
func Watchdog(m longrein.Model, limits limit.Set) longrein.Model {
	return watchdog{m, limits}
}

type watchdog struct {
	model  longrein.Model
	limits limit.Set
}

var errSilent = errors.New("silence")

func (w watchdog) Stream(ctx context.Context, r longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	return func(yield func(longrein.ModelEvent, error) bool) {
		inner, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		a := newAlarm(w.limits, func() { cancel(errSilent) })
		defer a.pause()
		for ev, err := range w.model.Stream(context.WithValue(inner, alarmKey{}, a), r) {
			a.pause()
			if err != nil {
				yield(nil, w.explain(ctx, inner, a, err))
				return
			}
			if !yield(ev, nil) {
				return
			}
			a.resume()
		}
	}
}

// explain returns err, or what it comes of if the alarm made it.
func (w watchdog) explain(ctx, inner context.Context, a *alarm, err error) error {
	if ctx.Err() != nil || !errors.Is(context.Cause(inner), errSilent) {
		return err
	}
	text := fmt.Sprintf("no response began within %v (limit first-byte)", w.limits.Duration(limit.FirstByte))
	if a.begun {
		text = fmt.Sprintf("the response was silent for %v (limit stream-idle)", w.limits.Duration(limit.Idle))
	}
	return &longrein.ModelError{Kind: longrein.ErrIdle, Text: text, Err: errSilent}
}

// alarm goes off after silence, unless it is paused.
type alarm struct {
	idle time.Duration

	mu     sync.Mutex
	timer  *time.Timer
	paused bool
	begun  bool
}

type alarmKey struct{}

func newAlarm(limits limit.Set, ring func()) *alarm {
	return &alarm{
		idle:  limits.Duration(limit.Idle),
		timer: time.AfterFunc(limits.Duration(limit.FirstByte), ring),
	}
}

// alive tells the alarm that belongs to ctx, if any, that something came.
func alive(ctx context.Context) {
	if a, ok := ctx.Value(alarmKey{}).(*alarm); ok {
		a.hear()
	}
}

func (a *alarm) hear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begun = true
	if !a.paused {
		a.timer.Reset(a.idle)
	}
}

func (a *alarm) pause() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = true
	a.timer.Stop()
}

func (a *alarm) resume() {
	a.mu.Lock()
	a.paused = false
	a.mu.Unlock()
	a.hear()
}
