package harness

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/anthropic"
	"github.com/longrein/longrein/provider/catalogue"
	"github.com/longrein/longrein/provider/local"
	"github.com/longrein/longrein/provider/openai"
	"github.com/longrein/longrein/provider/sim"
)

// simWindow is the simulated model's context window, in tokens, when the
// settings give it none.
const simWindow = 128_000

// settings says how requests to the picked model are made. What the settings
// files say goes first, then what the server says, then the catalogue.
func (h *Harness) settings(p picked) longrein.Settings {
	s := h.opts.Settings
	own := s.Models[p.model]
	info, _ := catalogue.Lookup(p.name, p.model)
	set := longrein.Settings{
		Provider: p.name, Model: p.model, Wire: p.conf.Wire, Simulated: p.name == simName,
		Effort:  cmp.Or(own.Effort, s.Effort, usualEffort(p, info)),
		Price:   price(own.Price, info.Price),
		Dialect: dialect(p),
		Base:    s.Base, Strategy: s.Strategy, Approval: s.Approval, Sandbox: s.Sandbox,
	}
	set.ContextWindow, set.ContextSource = h.contextWindow(p, own, info)
	set.MaxOutput = h.maxOutput(p, own, info, set.ContextWindow)
	return set
}

// maxOutput is what the settings say. The Messages wire must name a limit, so it
// has one of its own, which leaves most of a small window to the input.
func (h *Harness) maxOutput(p picked, own config.Model, info catalogue.Info, window int) int {
	set := cmp.Or(own.MaxOutputTokens, h.opts.Settings.MaxOutputTokens)
	if set > 0 || p.conf.Wire != longrein.WireMessages {
		return set
	}
	limits := h.opts.Settings.Limits
	usual := limits.Int(limit.Answer)
	if info.MaxOutput > 0 {
		usual = min(usual, info.MaxOutput)
	}
	if window > 0 {
		usual = min(usual, window*limits.Int(limit.AnswerShare)/100)
	}
	return usual
}

// usualEffort is sent where the wire returns the reasoning only when it is asked
// for; elsewhere the server's own default stands.
func usualEffort(p picked, info catalogue.Info) string {
	if p.conf.Wire == longrein.WireChat || !info.CanReason {
		return ""
	}
	return info.Effort
}

func (h *Harness) contextWindow(p picked, own config.Model, info catalogue.Info) (tokens int, source string) {
	if own.ContextWindow > 0 {
		return own.ContextWindow, "settings"
	}
	if p.found != nil {
		for _, m := range p.found.Models {
			if m.ID == p.model && m.ContextWindow > 0 {
				if w := p.found.Warning(m); w != "" {
					h.opts.Notify(w)
				}
				return m.ContextWindow, m.Source
			}
		}
	}
	if p.name == simName {
		return simWindow, "simulated"
	}
	if info.ContextWindow > 0 {
		return info.ContextWindow, catalogue.Version()
	}
	h.opts.Notify(fmt.Sprintf("the context window of %s is not known: set models.%q.context_window, or a new window begins only when the provider refuses a request", p.model, p.model))
	return 0, ""
}

func price(own config.Price, known longrein.Price) longrein.Price {
	pick := func(set *float64, v float64) float64 {
		if set != nil {
			return *set
		}
		return v
	}
	return longrein.Price{
		Input: pick(own.Input, known.Input), Cached: pick(own.Cached, known.Cached),
		CacheWrite: pick(own.CacheWrite, known.CacheWrite), Output: pick(own.Output, known.Output),
	}
}

func dialect(p picked) longrein.Dialect {
	switch {
	case p.found != nil:
		return p.found.Dialect
	case p.name == simName || p.conf.Wire != longrein.WireChat:
		return longrein.Dialect{Server: p.conf.Server, SumsUp: p.conf.Wire == longrein.WireResponses && p.conf.Server == "openai"}
	}
	d := local.DialectFor(p.conf.BaseURL)
	d.Server = cmp.Or(p.conf.Server, d.Server)
	return d
}

// connect makes the model that requests go to.
func (h *Harness) connect(p picked, set longrein.Settings) (longrein.Model, error) {
	limits := h.opts.Settings.Limits
	if p.name == simName {
		script, err := h.script(p.model)
		if err != nil {
			return nil, err
		}
		m := sim.New(sim.Options{Script: script, Window: set.ContextWindow, Limits: limits})
		return provider.Retry(provider.Watchdog(m, limits), limits), nil
	}
	ep, err := h.endpoint(p, set)
	if err != nil {
		return nil, err
	}
	var m longrein.Model
	switch p.conf.Wire {
	case longrein.WireResponses:
		m = openai.NewResponses(ep)
	case longrein.WireChat:
		m = openai.NewChat(ep)
	case longrein.WireMessages:
		m = anthropic.New(ep)
	default:
		return nil, fmt.Errorf("provider %s has no wire", p.name)
	}
	return provider.Retry(provider.Watchdog(m, limits), limits), nil
}

// script reads the script that a simulated model such as "sim:task.sim" names;
// nil for a built-in one.
func (h *Harness) script(model string) (*sim.Script, error) {
	path := strings.TrimPrefix(model, simName+":")
	if !strings.HasSuffix(path, ".sim") {
		if _, err := sim.Builtin(path); err != nil {
			return nil, &config.Error{Problems: []config.Problem{{Where: "model", Text: err.Error()}}}
		}
		return nil, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.opts.Cwd, path)
	}
	text, err := os.ReadFile(path)
	if err == nil {
		var s *sim.Script
		if s, err = sim.ParseScript(filepath.Base(path), text); err == nil {
			s.Name = strings.TrimPrefix(model, simName+":") // by which it is asked for
			return s, nil
		}
	}
	return nil, &config.Error{Problems: []config.Problem{{Where: "model", Text: err.Error()}}}
}

func (h *Harness) endpoint(p picked, set longrein.Settings) (provider.Endpoint, error) {
	limits := h.opts.Settings.Limits
	client, err := provider.NewHTTP(provider.Transport{
		Proxy: p.conf.Proxy, CAFile: p.conf.CAFile, Version: h.opts.Version, Limits: limits,
	})
	if err != nil {
		return provider.Endpoint{}, fmt.Errorf("provider %s: %w", p.name, err)
	}
	ep := provider.Endpoint{
		Name: p.name, BaseURL: p.conf.BaseURL, Wire: p.conf.Wire, HTTP: client,
		Header: http.Header{}, Query: url.Values{}, Limits: limits, Dialect: set.Dialect,
		Key: provider.KeyFrom(provider.KeySpec{
			Provider: p.name, Env: p.conf.Key.Env, File: p.conf.Key.File, Command: p.conf.Key.Command,
			Limits: limits, Stderr: os.Stderr,
		}),
	}
	for k, v := range p.conf.Headers {
		ep.Header.Set(k, v)
	}
	for k, v := range p.conf.Query {
		ep.Query.Set(k, v)
	}
	return ep, nil
}
