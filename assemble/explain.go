package assemble

import "github.com/longrein/longrein"

// Report explains a request: what it is made of, in the order the model sees it.
type Report struct {
	Thread        string              `json:"thread"`
	Window        int                 `json:"window"`
	Why           string              `json:"why"` // the window began
	Model         string              `json:"model"`
	Wire          longrein.Wire       `json:"wire"`
	ContextWindow int                 `json:"context_window"` // tokens, 0: unknown
	ContextSource string              `json:"context_source,omitempty"`
	Hash          string              `json:"hash"`
	Bytes         int                 `json:"bytes"`
	Tokens        int                 `json:"tokens"` // sum of the layers
	Layers        []Layer             `json:"layers"`
	Tiers         []TierPart          `json:"tiers"`
	Cuts          []longrein.LimitHit `json:"cuts"` // in this window so far
	// Estimate is the same as the provider will count it, going by what it has
	// reported so far. ExpectedCached is the part of it that should be in the
	// provider's cache: all that the request before this one held.
	Estimate       int `json:"estimate"`
	ExpectedCached int `json:"expected_cached"`
}

// Layer is one kind of content. Entries is 0 for what stands outside the list of
// items.
type Layer struct {
	Name    string  `json:"name"`
	Entries int     `json:"entries"`
	Tokens  int     `json:"tokens"`
	Share   float64 `json:"share"` // of the report's tokens, 0 to 1
}

// The layers, in the order of a request.
const (
	LayerBase      = "base instructions"
	LayerTools     = "tools"
	LayerInitial   = "initial context"
	LayerHarness   = "notes of the harness"
	LayerUser      = "user messages"
	LayerAssistant = "assistant messages"
	LayerReasoning = "reasoning"
	LayerCalls     = "tool calls"
	LayerOutputs   = "tool outputs"
)

var layerOrder = []string{
	LayerBase, LayerTools, LayerInitial, LayerHarness, LayerUser,
	LayerAssistant, LayerReasoning, LayerCalls, LayerOutputs,
}

// Explain reports on the next request of s. Count gives a text's tokens; nil
// means [Tokens], the estimate. A state without a window has an empty report.
func Explain(s *State, count func(text string) int) (Report, error) {
	if count == nil {
		count = Tokens
	}
	_, asked, err := s.Request()
	if err != nil {
		return Report{}, err
	}
	set := s.Window.Settings
	r := Report{
		Thread: s.Thread.ID, Window: s.Window.N, Why: s.Window.Why,
		Model: set.Model, Wire: set.Wire,
		ContextWindow: set.ContextWindow, ContextSource: set.ContextSource,
		Hash: asked.Hash, Bytes: asked.Bytes, Estimate: asked.Tokens, ExpectedCached: asked.Cached,
		Cuts: append([]longrein.LimitHit{}, s.cuts...),
	}
	w := weigh(s, count)
	r.Layers = layers(s, w)
	for _, l := range r.Layers {
		r.Tokens += l.Tokens
	}
	r.Tiers = tiers(s, w, r.Tokens)
	for i := range r.Layers {
		r.Layers[i].Share = float64(r.Layers[i].Tokens) / float64(max(r.Tokens, 1))
	}
	return r, nil
}

func layers(s *State, w weights) []Layer {
	sums := map[string]*Layer{}
	for _, name := range layerOrder {
		sums[name] = &Layer{Name: name}
	}
	sums[LayerBase].Tokens, sums[LayerTools].Tokens = w.base, w.tools
	for i, e := range s.entries {
		l := sums[layerOf(e, i < s.Window.Fresh)]
		l.Entries++
		l.Tokens += w.entries[i]
	}
	var out []Layer
	for _, name := range layerOrder {
		if l := sums[name]; l.Tokens > 0 {
			out = append(out, *l)
		}
	}
	return out
}

func layerOf(e longrein.Entry, fresh bool) string {
	if fresh {
		return LayerInitial
	}
	switch it := e.Item.(type) {
	case longrein.Message:
		if it.Role == longrein.RoleAssistant {
			return LayerAssistant
		}
		return LayerUser
	case longrein.Reasoning:
		return LayerReasoning
	case longrein.ToolCall:
		return LayerCalls
	case longrein.ToolOutput:
		return LayerOutputs
	}
	return LayerHarness
}

// Text returns what the model reads of an entry.
func Text(e longrein.Entry) string {
	switch it := e.Item.(type) {
	case longrein.Message:
		return it.Text
	case longrein.Reasoning:
		return string(it.Raw)
	case longrein.ToolCall:
		return it.Name + " " + it.Args
	case longrein.ToolOutput:
		return it.Text
	case longrein.Fragment:
		return it.Rendered()
	}
	return ""
}
