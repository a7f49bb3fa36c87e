package assemble

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/longrein/longrein"
	"pgregory.net/rapid"
)

// builder makes a log record by record.
type builder struct {
	State
	log []longrein.Record
}

func (b *builder) add(t interface{ Fatal(...any) }, bodies ...longrein.Body) {
	for _, body := range bodies {
		r := longrein.Record{Seq: b.Last + 1, Body: body}
		if err := b.Add(r); err != nil {
			t.Fatal(err)
		}
		b.log = append(b.log, r)
	}
}

func settingsFor(w longrein.Wire) longrein.Settings {
	return longrein.Settings{
		Provider: "p", Model: "m", Wire: w, ContextWindow: 1000,
		Tools: []longrein.ToolSpec{{Name: "cat", Description: "Print.", Schema: []byte(`{"type":"object"}`)}},
	}
}

func opened(t interface{ Fatal(...any) }, w longrein.Wire) *builder {
	b := &builder{}
	b.add(t,
		longrein.Thread{ID: "t", Base: "Be good."},
		longrein.Window{N: 1, Why: "start", Settings: settingsFor(w), Fresh: 1, Head: []longrein.Entry{
			{Item: longrein.Fragment{Tag: longrein.TagEnvironment, Role: longrein.RoleUser, Text: "cwd: /"}},
		}},
		longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: "go"}}},
	)
	return b
}

// step records a request with a call and its output.
func (b *builder) step(t interface{ Fatal(...any) }, output string) longrein.Request {
	req, asked, err := b.Request()
	if err != nil {
		t.Fatal(err)
	}
	b.add(t, asked)
	seq := b.Last
	id := fmt.Sprint("c", seq)
	b.add(t,
		longrein.Appended{Entry: longrein.Entry{Step: seq, Item: longrein.ToolCall{ID: id, Name: "cat", Args: `{"f":1}`}}},
		longrein.Answered{Step: seq, Usage: longrein.Usage{Input: int64(asked.Tokens), Reported: true}},
		longrein.Appended{Entry: longrein.Entry{Step: seq, Item: longrein.ToolOutput{CallID: id, Text: output, Status: longrein.OutputOK}}},
	)
	return req
}

// unmarked removes what is no part of the cached prefix: cache marks and the
// bytes that close the body.
func unmarked(body []byte) []byte {
	body = bytes.ReplaceAll(body, []byte(`,"cache_control":{"type":"ephemeral"}`), nil)
	return bytes.TrimRight(body, "]}")
}

func TestAWindowOnlyGrows(t *testing.T) {
	for _, w := range []longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages} {
		t.Run(string(w), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				b := opened(rt, w)
				var last longrein.Request
				for range rapid.IntRange(1, 8).Draw(rt, "steps") {
					req := b.step(rt, rapid.String().Draw(rt, "output"))
					if !bytes.HasPrefix(unmarked(req.Body), unmarked(last.Body)) {
						rt.Fatalf("a request does not begin with the one before:\n%s\n%s", last.Body, req.Body)
					}
					last = req
					last.Body = bytes.Clone(req.Body)
				}
			})
		})
	}
}

func TestTheHashIsOfTheBody(t *testing.T) {
	for _, w := range []longrein.Wire{longrein.WireResponses, longrein.WireChat, longrein.WireMessages} {
		b := opened(t, w)
		for range 5 {
			req := b.step(t, "output")
			sum := sha256.Sum256(req.Body)
			asked, err := lastAsked(b.log)
			if err != nil || asked.Hash != hex.EncodeToString(sum[:]) {
				t.Errorf("%s: logged %s, the body has %x", w, asked.Hash, sum)
			}
		}
	}
}

func lastAsked(log []longrein.Record) (longrein.Asked, error) {
	for i := len(log) - 1; i >= 0; i-- {
		if a, ok := log[i].Body.(longrein.Asked); ok {
			return a, nil
		}
	}
	return longrein.Asked{}, fmt.Errorf("no request")
}

func TestTheTailGivesTheSameBytesAsTheWholeLog(t *testing.T) {
	b := opened(t, longrein.WireMessages)
	b.step(t, "one")
	head := append([]longrein.Entry(nil), b.Entries()...)
	b.add(t, longrein.Window{N: 2, Why: "full", Settings: settingsFor(longrein.WireMessages), Head: head, Fresh: 1})
	from := len(b.log) - 1
	b.step(t, "two")
	want, _, err := b.Request()
	if err != nil {
		t.Fatal(err)
	}
	var tail State
	for _, r := range append([]longrein.Record{b.log[0]}, b.log[from:]...) {
		if err := tail.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	got, _, err := tail.Request()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want.Body), string(got.Body)); diff != "" {
		t.Errorf("whole log, then tail:\n%s", diff)
	}
}

func TestEstimatesFollowWhatIsReported(t *testing.T) {
	b := opened(t, longrein.WireResponses)
	_, asked, err := b.Request()
	if err != nil {
		t.Fatal(err)
	}
	b.add(t, asked)
	b.add(t, longrein.Answered{Step: b.Last, Usage: longrein.Usage{Input: int64(2 * asked.Tokens), Reported: true}})
	if got, want := b.Tokens(), 2*asked.Tokens; got != want {
		t.Errorf("%d tokens after the report, want %d", got, want)
	}
	text := strings.Repeat("word ", 100)
	b.add(t, longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: text}}})
	if got, want := b.Tokens(), 2*asked.Tokens+2*(Tokens(text)+perEntry); got != want {
		t.Errorf("%d tokens with more text, want %d: the estimate doubles too", got, want)
	}
}

func TestExplain(t *testing.T) {
	b := opened(t, longrein.WireResponses)
	b.step(t, "some output")
	b.add(t, longrein.LimitHit{Name: "tool-output", What: "output"})
	r, err := Explain(&b.State, func(text string) int { return len(text) })
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	share := 0.0
	for _, l := range r.Layers {
		names = append(names, l.Name)
		share += l.Share
	}
	want := []string{LayerBase, LayerTools, LayerInitial, LayerUser, LayerCalls, LayerOutputs}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("layers:\n%s", diff)
	}
	if share < 0.999 || share > 1.001 || len(r.Cuts) != 1 {
		t.Errorf("shares sum to %f, cuts %v", share, r.Cuts)
	}
	if _, err := Explain(&State{}, nil); err == nil {
		t.Error("a state without a window was explained")
	}
}

// BenchmarkStep measures what the window costs a step: a call, its output of
// 3 kB, and the next request. The second window holds 2,000 steps, or about
// 200,000 tokens.
func BenchmarkStep(b *testing.B) {
	for _, steps := range []int{10, 2000} {
		b.Run(fmt.Sprint("at step ", steps), func(b *testing.B) {
			w := opened(b, longrein.WireResponses)
			for range steps {
				w.step(b, strings.Repeat("some text of a file\n", 15))
			}
			text := strings.Repeat("some text of a file\n", 150)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if n++; n%100 == 0 {
					b.StopTimer()
					w = opened(b, longrein.WireResponses)
					for range steps {
						w.step(b, strings.Repeat("some text of a file\n", 15))
					}
					b.StartTimer()
				}
				w.step(b, text)
			}
		})
	}
}
