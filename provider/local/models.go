package local

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein/limit"
)

// models lists what the server offers, with the windows that it gives them.
// Where that takes questions about each model, as many are asked as the limit
// probe leaves time for.
func (s server) models(ctx context.Context, k Kind, a answers) []Model {
	ctx, stop := context.WithTimeout(ctx, s.limits.Duration(limit.Probe))
	defer stop()
	var out []Model
	switch k {
	case Ollama:
		out = s.ollamaModels(ctx, a)
	case LMStudio:
		out = studioModels(a)
	case LlamaCpp:
		out = llamaModels(a)
	default:
		out = listed(a)
	}
	for i := range out {
		if out[i].ContextWindow <= 0 {
			out[i].ContextWindow, out[i].Assumed = s.limits.Int(limit.AssumedWindow), true
			out[i].Source = "assumed"
		}
	}
	slices.SortStableFunc(out, func(m, n Model) int { return cmp.Compare(m.rank(), n.rank()) })
	return out
}

func (m Model) rank() int {
	switch {
	case m.NoTools:
		return 2
	case !m.Loaded:
		return 1
	}
	return 0
}

// listed reads /v1/models. Only some servers name a window there.
func listed(a answers) []Model {
	var out []Model
	for _, m := range a.models.Get("data").Array() {
		id := m.Get("id").String()
		if !fit(id) {
			continue
		}
		window := 0
		for _, name := range []string{"max_model_len", "context_length", "context_window", "max_context_length"} {
			window = max(window, int(m.Get(name).Int()))
		}
		out = append(out, Model{ID: id, ContextWindow: window, Source: "/v1/models", Loaded: true})
	}
	return out
}

// fit reports whether an id can be shown and sent.
func fit(id string) bool {
	return id != "" && !strings.ContainsFunc(id, unicode.IsControl)
}

// llamaModels gives every model the window of a slot, which is what a request
// gets of the server's memory.
func llamaModels(a answers) []Model {
	out := listed(a)
	caps := a.props.Get("chat_template_caps.supports_tools")
	for i := range out {
		out[i].ContextWindow = int(a.props.Get("default_generation_settings.n_ctx").Int())
		out[i].Source = "/props"
		out[i].NoTools = caps.Exists() && !caps.Bool()
	}
	return out
}

// studioModels takes the window of loaded models only: for others it is chosen
// when they are loaded.
func studioModels(a answers) []Model {
	var out []Model
	for _, m := range a.studio.Get("data").Array() {
		id := m.Get("id").String()
		if !fit(id) || m.Get("type").String() == "embeddings" {
			continue
		}
		out = append(out, Model{
			ID: id, ContextWindow: int(m.Get("loaded_context_length").Int()),
			Source: "/api/v0/models", Loaded: m.Get("state").String() == "loaded",
		})
	}
	return out
}

// ollamaModels asks which models are loaded, with which window, and looks into
// the others for one that is set. What a model was trained for does not count:
// Ollama gives it less.
func (s server) ollamaModels(ctx context.Context, a answers) []Model {
	running := map[string]int{}
	for _, m := range s.get(ctx, "/api/ps").Get("models").Array() {
		running[m.Get("name").String()] = int(m.Get("context_length").Int())
	}
	var out []Model
	for _, m := range listed(a) {
		show := s.post(ctx, "/api/show", map[string]string{"model": m.ID})
		caps := show.Get("capabilities")
		if caps.Exists() && !has(caps, "completion") {
			continue
		}
		m.NoTools = caps.Exists() && !has(caps, "tools")
		m.ContextWindow, m.Source = setWindow(show), "/api/show"
		if window, ok := running[m.ID]; ok && window > 0 {
			m.ContextWindow, m.Source = window, "/api/ps"
		}
		_, m.Loaded = running[m.ID]
		out = append(out, m)
	}
	return out
}

func has(list gjson.Result, word string) bool {
	return slices.ContainsFunc(list.Array(), func(r gjson.Result) bool { return r.String() == word })
}

// setWindow finds the window in what /api/show says: num_ctx of the model file,
// or the whole of a model that runs elsewhere; 0 if neither.
func setWindow(show gjson.Result) int {
	for line := range strings.Lines(show.Get("parameters").String()) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			n, err := strconv.Atoi(f[1])
			if err == nil {
				return n
			}
		}
	}
	if show.Get("remote_host").String() == "" {
		return 0
	}
	info := show.Get("model_info").Map()
	return int(info[info["general.architecture"].String()+".context_length"].Int())
}
