package providertest

import (
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim"
	"github.com/longrein/longrein/wire"
)

const script = `step
 think I look first. «ünïcode» and 日本語, long enough to come in more than one piece.
 say I look at two things.
 call read_file {"path": "a <b> & \"c\""}
 call list_files {}
step
 call read_file {"path": "a"}
answer The end.`

// thread runs a script of the simulated model to its end over HTTP. At every
// step the model under test must read what the simulated model says without HTTP.
func (s suite) thread(t *testing.T) {
	task, err := sim.ParseScript("task", []byte(script))
	if err != nil {
		t.Fatal(err)
	}
	near := sim.New(sim.Options{Script: task})
	srv := httptest.NewServer(sim.New(sim.Options{Script: task}).Handler())
	t.Cleanup(srv.Close)
	far := s.model(srv.URL + "/v1")
	entries := []longrein.Entry{{Item: longrein.Message{Role: longrein.RoleUser, Text: "go"}}}
	for step := int64(1); ; step++ {
		r := s.encode(t, entries)
		want, err := ask(t, near, r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ask(t, far, r)
		if err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if diff := cmp.Diff(want, got, shown); diff != "" {
			t.Fatalf("step %d (-in process +over HTTP):\n%s", step, diff)
		}
		if got.Done.Stop != longrein.StopTools {
			break
		}
		entries = append(entries, answered(step, got.Items)...)
	}
	if last := entries[len(entries)-1]; last.Step != 2 {
		t.Errorf("the thread ended after step %d, want 2 steps with calls", last.Step)
	}
}

// encode writes the request that asks with these entries.
func (s suite) encode(t *testing.T, entries []longrein.Entry) longrein.Request {
	t.Helper()
	enc, err := wire.For(s.wire)
	if err != nil {
		t.Fatal(err)
	}
	head := wire.Head{Base: "Work.", Thread: "t", Settings: longrein.Settings{
		Model: "sim:task", Wire: s.wire, Effort: "low",
		Tools: []longrein.ToolSpec{{Name: "read_file"}, {Name: "list_files"}},
	}}
	body := enc.Open(nil, head)
	for g := range wire.Groups(entries) {
		if body[len(body)-1] != '[' {
			body = append(body, ',')
		}
		body = enc.Group(body, head, g)
	}
	return longrein.Request{Thread: "t", Model: head.Settings.Model, Wire: s.wire, Body: enc.Close(body, head)}
}

// answered returns a step's items, each call with an output.
func answered(step int64, items []longrein.Item) (out []longrein.Entry) {
	var outputs []longrein.Entry
	for _, it := range items {
		out = append(out, longrein.Entry{Step: step, Item: it})
		if c, ok := it.(longrein.ToolCall); ok {
			o := longrein.ToolOutput{CallID: c.ID, Text: "done", Status: longrein.OutputOK}
			outputs = append(outputs, longrein.Entry{Step: step, Item: o})
		}
	}
	return append(out, outputs...)
}
