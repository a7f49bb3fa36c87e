package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/provider/local"
)

// choice is a model that is ready to be asked, and the settings it brings.
type choice struct {
	model    longrein.Model
	settings longrein.Settings
}

// picked is a provider and a model by name.
type picked struct {
	name  string
	conf  config.Provider
	model string
	found *local.Found // when a server was looked at
}

const (
	simName  = "sim"
	simModel = "sim:demo"
)

// usual are the remote providers in the order they are tried when only a key is
// there, with the model that is taken when none is named.
var usual = []struct{ name, model string }{
	{"openai", "gpt-5.4"},
	{"anthropic", "claude-sonnet-5"},
	{"openrouter", "openai/gpt-5.4"},
	{"deepseek", "deepseek-v4-pro"},
}

// choose finds the model to work with. A thread that is resumed keeps its own
// unless a flag says otherwise.
func (h *Harness) choose(ctx context.Context, before longrein.Settings) (choice, error) {
	if h.opts.Model != nil {
		return choice{model: h.opts.Model, settings: h.settings(picked{
			name: "embedded", model: h.opts.Settings.Model, conf: config.Provider{Wire: longrein.WireResponses},
		})}, nil
	}
	p, err := h.pick(ctx, before)
	if err != nil {
		return choice{}, err
	}
	set := h.settings(p)
	m, err := h.connect(p, set)
	return choice{model: m, settings: set}, err
}

// pick names provider and model.
func (h *Harness) pick(ctx context.Context, before longrein.Settings) (picked, error) {
	s := h.opts.Settings
	name, model := s.Provider, s.Model
	switch {
	case before.Provider == "" || h.byFlag("model"):
	case !h.byFlag("provider") || name == before.Provider:
		name, model = before.Provider, before.Model
	}
	switch {
	case name == "" && strings.HasPrefix(model, simName+":"):
		name = simName
	case name == "":
		return h.search(ctx, model)
	}
	conf, ok := s.Providers[name]
	if !ok {
		return picked{}, &config.Error{Problems: []config.Problem{{
			Where: "provider",
			Text: fmt.Sprintf("there is no %q in the settings; there are %s. A thread that was begun with it needs its settings again, or -p",
				name, strings.Join(slices.Sorted(maps.Keys(s.Providers)), ", ")),
		}}}
	}
	return h.complete(ctx, picked{name: name, conf: conf, model: model})
}

// byFlag reports whether the key was given on the command line.
func (h *Harness) byFlag(key string) bool {
	return strings.HasPrefix(h.opts.Settings.Source(key), "-")
}

// search finds a provider when none is named: one whose key is there, else a
// local server.
func (h *Harness) search(ctx context.Context, model string) (picked, error) {
	s := h.opts.Settings
	for _, u := range usual {
		conf := s.Providers[u.name]
		if h.hasKey(conf.Key) {
			return h.complete(ctx, picked{name: u.name, conf: conf, model: model})
		}
	}
	own := h.configured()
	if len(own) == 1 {
		return h.complete(ctx, picked{name: own[0], conf: s.Providers[own[0]], model: model})
	}
	if len(own) > 1 {
		return picked{}, fmt.Errorf("the settings name several providers (%s): choose one with -p or provider = \"…\"", strings.Join(own, ", "))
	}
	return h.searchLocal(ctx, model)
}

// configured lists the providers that only the settings know.
func (h *Harness) configured() []string {
	var own []string
	for name := range sorted(h.opts.Settings.Providers) {
		if !config.BuiltIn(name) {
			own = append(own, name)
		}
	}
	return own
}

func (h *Harness) hasKey(k config.Key) bool {
	if k.File != "" {
		_, err := os.Stat(k.File)
		return err == nil
	}
	return k.Command != "" || k.Env != "" && h.env(k.Env) != ""
}

func (h *Harness) env(name string) string {
	for _, e := range slices.Backward(h.opts.Env) {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

// ErrNoModel says that there is nothing to answer: no key, no server.
var ErrNoModel = errors.New(`no model to work with: no provider is set, none of the usual keys is in the environment, and no local server answers. Three ways to go on:
  1. set a key, for example OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY
  2. start a local server (Ollama, llama.cpp, LM Studio or vLLM on its usual port), or name one in config.toml
  3. try it without any: longrein demo, or -p sim for the simulated model`)

// searchLocal looks for a model server on this machine and says what it found.
func (h *Harness) searchLocal(ctx context.Context, model string) (picked, error) {
	found := local.Find(ctx, local.Options{Limits: h.opts.Settings.Limits})
	if len(found) == 0 {
		return picked{}, ErrNoModel
	}
	h.opts.Notify(local.Text(found))
	for i := range found {
		if p, ok := localModel(&found[i], model); ok {
			h.opts.Notify(fmt.Sprintf("using %s at %s", p.model, p.conf.BaseURL))
			return p, nil
		}
	}
	return picked{}, fmt.Errorf("no local server offers the model %q; choose one of those above with -m", model)
}

// localModel takes a found server if it has the model; any will do for "".
func localModel(f *local.Found, model string) (picked, bool) {
	for _, m := range f.Models {
		if model == "" || m.ID == model {
			return picked{
				name: string(f.Kind), model: m.ID, found: f,
				conf: config.Provider{BaseURL: f.BaseURL, Wire: longrein.WireChat, Server: string(f.Kind)},
			}, true
		}
	}
	return picked{}, false
}

// complete adds what was not named: the model, and what a server on this machine
// says of itself.
func (h *Harness) complete(ctx context.Context, p picked) (picked, error) {
	if p.model == "" {
		for _, u := range usual {
			if u.name == p.name {
				p.model = u.model
			}
		}
	}
	if p.name == simName {
		if p.model == "" {
			p.model = simModel
		}
		return p, nil
	}
	if onLoopback(p.conf.BaseURL) && (p.model == "" || h.window(p.model) == 0) {
		h.identify(ctx, &p)
	}
	switch {
	case p.model == "" && p.found == nil && onLoopback(p.conf.BaseURL):
		return p, &longrein.ModelError{Kind: longrein.ErrNetwork, Text: fmt.Sprintf("no model server answers at %s: start it, or choose another provider with -p", p.conf.BaseURL)}
	case p.model == "":
		return p, fmt.Errorf("which model of %s? Name one with -m or model = \"…\"", p.name)
	}
	return p, nil
}

// window returns the context window that the settings give a model, or 0.
func (h *Harness) window(model string) int { return h.opts.Settings.Models[model].ContextWindow }

// identify asks a server on this machine what it is.
func (h *Harness) identify(ctx context.Context, p *picked) {
	f, ok := local.Identify(ctx, local.Options{Limits: h.opts.Settings.Limits}, p.conf.BaseURL)
	if !ok {
		return
	}
	p.found = &f
	if p.model == "" && len(f.Models) > 0 {
		p.model = f.Models[0].ID
	}
}

func onLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

// sorted yields a map's entries by key.
func sorted[V any](m map[string]V) func(yield func(string, V) bool) {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
