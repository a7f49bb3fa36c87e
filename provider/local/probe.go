package local

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein/limit"
)

// server is one that is being looked at.
type server struct {
	client *http.Client
	root   string // the base URL without /v1
	limits limit.Set
}

// answers are what a server said to the questions by which kinds are told apart.
type answers struct {
	version, props, studio, models gjson.Result
}

// probe asks all the questions at once, for some kinds are slow to say no. It
// reports whether a model server is there.
func (s server) probe(ctx context.Context) (answers, bool) {
	ctx, stop := context.WithTimeout(ctx, s.limits.Duration(limit.Probe))
	defer stop()
	var a answers
	var wait sync.WaitGroup
	for path, into := range map[string]*gjson.Result{
		"/api/version": &a.version, "/props": &a.props, "/api/v0/models": &a.studio, "/v1/models": &a.models,
	} {
		wait.Go(func() { *into = s.get(ctx, path) })
	}
	wait.Wait()
	return a, a.kind() != Unknown || a.models.Get("data").IsArray()
}

// kind judges by what only one kind says. The order matters: llama.cpp imitates
// some of Ollama's paths.
func (a answers) kind() Kind {
	owner := a.models.Get("data.0.owned_by").String()
	switch {
	case owner == "vllm":
		return VLLM
	case owner == "llamacpp", a.props.Get("default_generation_settings").Exists():
		return LlamaCpp
	case a.studio.Get("data").IsArray():
		return LMStudio
	case a.version.Get("version").Type == gjson.String:
		return Ollama
	}
	return Unknown
}

func (s server) get(ctx context.Context, path string) gjson.Result {
	return s.ask(ctx, http.MethodGet, path, nil)
}

func (s server) post(ctx context.Context, path string, body any) gjson.Result {
	b, err := json.Marshal(body)
	if err != nil {
		return gjson.Result{}
	}
	return s.ask(ctx, http.MethodPost, path, b)
}

// ask returns the JSON that a path answers, and nothing for any other answer.
func (s server) ask(ctx context.Context, method, path string, body []byte) gjson.Result {
	r, err := http.NewRequestWithContext(ctx, method, s.root+path, strings.NewReader(string(body)))
	if err != nil {
		return gjson.Result{}
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := s.client.Do(r)
	if err != nil {
		return gjson.Result{}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, s.limits.Of(limit.ProbeBody)))
	if err != nil || resp.StatusCode != http.StatusOK || !gjson.ValidBytes(text) {
		return gjson.Result{}
	}
	return gjson.ParseBytes(text)
}
