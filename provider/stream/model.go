package stream

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

// Wire is how one kind of server is asked and understood.
type Wire struct {
	// Send posts the request's body, byte for byte, with the key if it is not
	// empty, and returns an answer that [Guard] let pass.
	Send func(ctx context.Context, ep provider.Endpoint, key string, r longrein.Request) (*http.Response, error)
	// Decode cuts an answer into events.
	Decode func(*http.Response) Decoder
	// Reader returns the reader of the answer to r.
	Reader func(ep provider.Endpoint, r longrein.Request) Reader
}

// Decoder yields the data of server-sent events, as the decoders of both SDKs do.
type Decoder interface {
	Next() bool
	Data() []byte // of the event that Next found
	Err() error   // why Next found none, nil at the end of the answer
}

// Reader understands the events of one answer. It does no I/O and keeps nothing
// of the event it is given.
type Reader interface {
	// Event takes one event and returns what it comes to; nothing for an event
	// that it does not know. An error is a [*longrein.ModelError] that the
	// server reported.
	Event(ev gjson.Result) ([]longrein.ModelEvent, error)
	// End is asked once, after the last event, if no [longrein.Finished] came;
	// done tells that the server said [DONE]. It returns what is left, with a
	// Finished at its end, or nothing if the response is not whole.
	End(done bool) []longrein.ModelEvent
}

// New returns the model that answers at ep. Safe for concurrent use.
func New(ep provider.Endpoint, w Wire) longrein.Model { return model{ep, w} }

type model struct {
	ep   provider.Endpoint
	wire Wire
}

func (m model) Stream(ctx context.Context, r longrein.Request) iter.Seq2[longrein.ModelEvent, error] {
	return func(yield func(longrein.ModelEvent, error) bool) {
		resp, err := m.send(ctx, r)
		if err == nil {
			defer resp.Body.Close()
			err = m.read(resp, m.wire.Reader(m.ep, r), yield)
		}
		if err != nil {
			yield(nil, m.explain(ctx, err))
		}
	}
}

func (m model) send(ctx context.Context, r longrein.Request) (*http.Response, error) {
	if u, err := url.Parse(m.ep.BaseURL); err != nil || u.Host == "" { // the parser's own words would repeat a password
		return nil, m.error(longrein.ErrNotFound, "base_url is not a URL; it looks like http://127.0.0.1:8080/v1")
	}
	key, err := m.ep.Secret(ctx)
	if err != nil {
		return nil, err
	}
	return m.wire.Send(ctx, m.ep, key, r)
}

// read passes the answer's events on until one ends it or yield has had enough.
func (m model) read(resp *http.Response, rd Reader, yield func(longrein.ModelEvent, error) bool) error {
	dec := m.wire.Decode(resp)
	done, skipped := false, 0
	for dec.Next() {
		data := bytes.TrimSpace(dec.Data())
		if done = string(data) == "[DONE]"; done {
			break
		}
		if !gjson.ValidBytes(data) {
			skipped++
			continue
		}
		events, err := rd.Event(gjson.ParseBytes(data))
		if m.pass(resp.Body, events, yield) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	rest := rd.End(done)
	if m.pass(resp.Body, rest, yield) || len(rest) > 0 {
		return nil
	}
	return m.cut(dec.Err(), skipped)
}

// pass yields events and reports whether that was all there is to read.
func (m model) pass(body io.ReadCloser, events []longrein.ModelEvent, yield func(longrein.ModelEvent, error) bool) bool {
	for _, ev := range events {
		more := yield(ev, nil)
		if _, last := ev.(longrein.Finished); last {
			drain(body, m.ep.Limits.Duration(limit.StreamEnd))
			return true
		}
		if !more {
			return true
		}
	}
	return false
}

// drain reads the end that follows a whole response, so that the connection can
// be used again.
func drain(body io.ReadCloser, wait time.Duration) {
	late := time.AfterFunc(wait, func() { body.Close() })
	defer late.Stop()
	_, _ = io.Copy(io.Discard, body) // an error means no more than that it cannot
}

func (m model) name() string { return cmp.Or(m.ep.Name, "the provider") }
