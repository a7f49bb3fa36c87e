package anthropic

import (
	"maps"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/stream"
)

// reader reads the events of a Messages answer.
type reader struct {
	ep     provider.Endpoint
	asked  string // the model that was asked
	model  string // the model that answers
	blocks map[int64]*block
	calls  bool
	reason string // why it stopped
	usage  usage
}

func newReader(ep provider.Endpoint, r longrein.Request) stream.Reader {
	return &reader{ep: ep, asked: r.Model, blocks: map[int64]*block{}}
}

func (s *reader) Event(ev gjson.Result) ([]longrein.ModelEvent, error) {
	index := ev.Get("index").Int()
	switch ev.Get("type").String() {
	case "message_start":
		s.model = ev.Get("message.model").String()
		s.usage.add(ev.Get("message.usage"))
	case "content_block_start":
		b := newBlock(ev.Get("content_block"))
		s.blocks[index] = b
		return b.begin(), nil
	case "content_block_delta":
		if b := s.blocks[index]; b != nil {
			return b.add(ev.Get("delta")), nil
		}
	case "content_block_stop":
		return s.close(index), nil
	case "message_delta":
		s.usage.add(ev.Get("usage"))
		if r := ev.Get("delta.stop_reason").String(); r != "" {
			s.reason = r
		}
	case "message_stop":
		return s.finish()
	case "error":
		return nil, provider.RefusalEvent(s.ep, ev.Get("error.type").String(), ev.Get("error.message").String())
	}
	return nil, nil
}

// End finds nothing: a response of this wire is whole when an event says so.
func (*reader) End(bool) []longrein.ModelEvent { return nil }

func (s *reader) close(index int64) []longrein.ModelEvent {
	b := s.blocks[index]
	if b == nil {
		return nil
	}
	delete(s.blocks, index)
	s.calls = s.calls || b.kind == "tool_use"
	return b.item(s.asked)
}

// finish ends the response, with the blocks that a careless server left open.
func (s *reader) finish() ([]longrein.ModelEvent, error) {
	if s.reason == "model_context_window_exceeded" {
		return nil, provider.RefusalEvent(s.ep, "context_length_exceeded", "the context window was full before the response was whole")
	}
	var out []longrein.ModelEvent
	for _, index := range slices.Sorted(maps.Keys(s.blocks)) {
		out = append(out, s.close(index)...)
	}
	return append(out, longrein.Finished{Usage: s.usage.total(), Model: s.model, Stop: s.stop()}), nil
}

func (s *reader) stop() longrein.Stop {
	switch s.reason {
	case "max_tokens":
		return longrein.StopMaxOutput
	case "refusal":
		return longrein.StopRefused
	case "pause_turn":
		return longrein.StopPaused
	}
	if s.calls {
		return longrein.StopTools
	}
	return longrein.StopEnd
}

// usage keeps the counts as the wire has them. Those of later events are totals
// too, but may leave out what the first one told.
type usage struct {
	input, cached, written, output, thinking int64
	reported                                 bool
}

func (u *usage) add(v gjson.Result) {
	u.reported = u.reported || v.IsObject()
	u.input = max(u.input, v.Get("input_tokens").Int())
	u.cached = max(u.cached, v.Get("cache_read_input_tokens").Int())
	u.written = max(u.written, v.Get("cache_creation_input_tokens").Int())
	u.output = max(u.output, v.Get("output_tokens").Int())
	u.thinking = max(u.thinking, v.Get("output_tokens_details.thinking_tokens").Int())
}

// total counts all input as input, which the wire does not.
func (u usage) total() longrein.Usage {
	return longrein.Usage{
		Input:  u.input + u.cached + u.written,
		Cached: u.cached, CacheWrite: u.written,
		Output: u.output, Reasoning: u.thinking, Reported: u.reported,
	}
}
