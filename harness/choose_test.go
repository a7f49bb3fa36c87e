package harness

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/provider/catalogue"
)

// with returns a harness for these flags and variables.
func with(t *testing.T, env []string, flags ...config.Flag) *Harness {
	t.Helper()
	dir := t.TempDir()
	s, err := config.Load(config.Options{Home: dir, Cwd: dir, Env: env, Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{Settings: s, Cwd: dir, Env: env})
}

func TestTheUsualModelsAreInTheCatalogue(t *testing.T) {
	for _, u := range usual {
		if info, ok := catalogue.Lookup(u.name, u.model); !ok || info.ContextWindow == 0 {
			t.Errorf("the catalogue does not know %s of %s", u.model, u.name)
		}
	}
}

func TestAProviderIsFoundByItsKey(t *testing.T) {
	for name, c := range map[string]struct {
		env   []string
		flags []config.Flag
		want  string // provider and model
	}{
		"the key of one":            {env: []string{"ANTHROPIC_API_KEY=x"}, want: "anthropic claude-sonnet-5"},
		"the first of two":          {env: []string{"ANTHROPIC_API_KEY=x", "OPENAI_API_KEY=y"}, want: "openai gpt-5.4"},
		"a provider that is named":  {env: []string{"OPENAI_API_KEY=y"}, flags: []config.Flag{{Name: "-p", Value: "sim"}}, want: "sim sim:demo"},
		"a simulated model by name": {flags: []config.Flag{{Name: "-m", Value: "sim:echo"}}, want: "sim sim:echo"},
		"a provider of the settings": {flags: []config.Flag{
			{Name: "-c", Value: "providers.mine.base_url=https://models.example/v1"}, {Name: "-m", Value: "m"},
		}, want: "mine m"},
	} {
		p, err := with(t, c.env, c.flags...).pick(t.Context(), longrein.Settings{})
		if err != nil || p.name+" "+p.model != c.want {
			t.Errorf("%s: %s %s (%v), want %s", name, p.name, p.model, err, c.want)
		}
	}
}

func TestAResumedThreadKeepsItsModel(t *testing.T) {
	before := longrein.Settings{Provider: "sim", Model: "sim:echo"}
	h := with(t, []string{"LONGREIN_MODEL=gpt-5.4", "LONGREIN_PROVIDER=openai"})
	if p, err := h.pick(t.Context(), before); err != nil || p.model != "sim:echo" {
		t.Errorf("%s (%v), want the thread's own model", p.model, err)
	}
	h = with(t, nil, config.Flag{Name: "-p", Value: "sim"})
	if p, err := h.pick(t.Context(), before); err != nil || p.model != "sim:echo" {
		t.Errorf("%s (%v), want the thread's own model of the same provider", p.model, err)
	}
	h = with(t, nil, config.Flag{Name: "-m", Value: "sim:parallel"})
	if p, err := h.pick(t.Context(), before); err != nil || p.model != "sim:parallel" {
		t.Errorf("%s (%v), want the model of the flag", p.model, err)
	}
}

func TestALocalServerIsAskedWhatItIs(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": []map[string]any{
				{"id": "coder", "object": "model", "owned_by": "vllm", "max_model_len": 12345},
			}})
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	h := with(t, nil, config.Flag{Name: "-c", Value: "providers.mine.base_url=" + server.URL + "/v1"})
	p, err := h.pick(t.Context(), longrein.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	set := h.settings(p)
	if set.Model != "coder" || set.ContextWindow != 12345 || set.Dialect.Server != "vllm" {
		t.Errorf("%s with a window of %d at %q, want what the server says", set.Model, set.ContextWindow, set.Dialect.Server)
	}
}

func TestSettingsGoBeforeTheCatalogue(t *testing.T) {
	h := with(t, []string{"OPENAI_API_KEY=x"},
		config.Flag{Name: "-c", Value: `models."gpt-5.4".context_window=50000`},
		config.Flag{Name: "-c", Value: `models."gpt-5.4".input_price=0`})
	p, err := h.pick(t.Context(), longrein.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	set := h.settings(p)
	if set.ContextWindow != 50000 || set.ContextSource != "settings" {
		t.Errorf("window %d from %q, want the settings' 50000", set.ContextWindow, set.ContextSource)
	}
	if set.Price.Input != 0 || set.Price.Output == 0 {
		t.Errorf("price %+v, want the input free and the output from the catalogue", set.Price)
	}
}

func TestAnAnswerIsBoundedByTheWindowWhereItsWireWantsABound(t *testing.T) {
	for name, c := range map[string]struct {
		wire   string
		window string
		set    string // max_output_tokens
		want   int
	}{
		"a large window":                {wire: "messages", window: "200000", want: 32_000},
		"a small window":                {wire: "messages", window: "16000", want: 4_000},
		"what is set goes first":        {wire: "messages", window: "16000", set: "9000", want: 9_000},
		"a wire that wants no bound":    {wire: "chat", window: "16000"},
		"which may be set all the same": {wire: "responses", window: "16000", set: "9000", want: 9_000},
	} {
		flags := []config.Flag{
			{Name: "-c", Value: "providers.mine.base_url=https://models.example/v1"},
			{Name: "-c", Value: "providers.mine.wire=" + c.wire},
			{Name: "-c", Value: "models.m.context_window=" + c.window},
			{Name: "-m", Value: "m"},
		}
		if c.set != "" {
			flags = append(flags, config.Flag{Name: "-c", Value: "max_output_tokens=" + c.set})
		}
		h := with(t, nil, flags...)
		p, err := h.pick(t.Context(), longrein.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if got := h.settings(p).MaxOutput; got != c.want {
			t.Errorf("%s: %d tokens, want %d", name, got, c.want)
		}
	}
}

func TestAMissingServerIsNamed(t *testing.T) {
	h := with(t, nil, config.Flag{Name: "-c", Value: "providers.mine.base_url=http://127.0.0.1:9/v1"})
	_, err := h.pick(t.Context(), longrein.Settings{})
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1:9") {
		t.Errorf("%v, want the address where nothing answers", err)
	}
}

func TestWhatAThreadLearnedAboutItsServerIsKept(t *testing.T) {
	before := longrein.Settings{Provider: "mine", Dialect: longrein.Dialect{Omit: []string{"store"}}}
	h := with(t, nil)
	got := h.adopt(longrein.Settings{Provider: "mine"}, before)
	if len(got.Dialect.Omit) != 1 {
		t.Error("the refused field is forgotten")
	}
	if got := h.adopt(longrein.Settings{Provider: "another"}, before); len(got.Dialect.Omit) != 0 {
		t.Error("what one server refuses is left out for another")
	}
}

func TestAnEmptyStoreHasNoThread(t *testing.T) {
	h := with(t, nil)
	if _, err := h.Find(t.Context(), "", ""); err == nil {
		t.Error("a thread was found in an empty store")
	}
	if _, err := h.Resume(context.Background(), "01a22b99-db60-765a-9306-e01b5c6d4396"); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("resume of a thread that is not there: %v", err)
	}
}

// Which provider sums a context up itself is fixed with the settings.
func TestOpenAISumsUpOnItsOwnWire(t *testing.T) {
	for name, c := range map[string]struct {
		conf config.Provider
		want bool
	}{
		"OpenAI":                 {config.Provider{Wire: longrein.WireResponses, Server: "openai"}, true},
		"OpenAI over chat":       {config.Provider{Wire: longrein.WireChat, Server: "openai"}, false},
		"another with that wire": {config.Provider{Wire: longrein.WireResponses, Server: "vllm"}, false},
	} {
		if got := dialect(picked{conf: c.conf}).SumsUp; got != c.want {
			t.Errorf("%s sums up: %v, want %v", name, got, c.want)
		}
	}
}
