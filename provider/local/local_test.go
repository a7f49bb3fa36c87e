package local_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider/local"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pages is a server by its paths; of /api/show the model's name is a part.
type pages map[string]string

func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if path == "/api/show" {
		var body struct{ Model string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		path += " " + body.Model
	}
	text, ok := p[path]
	if !ok {
		http.Error(w, `{"error":"not here"}`, http.StatusNotFound)
		return
	}
	io.WriteString(w, text)
}

func serve(t *testing.T, h http.Handler) (port int) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err = strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// patient gives a busy test machine time to answer.
func patient(t *testing.T) limit.Set {
	t.Helper()
	s, err := limit.Set{}.With("probe", 5_000)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var servers = map[local.Kind]pages{
	local.Ollama: {
		"/api/version": `{"version":"0.13.5"}`,
		"/v1/models": `{"object":"list","data":[
			{"id":"gemma3:4b","object":"model","owned_by":"library"},
			{"id":"nomic-embed-text:latest","object":"model","owned_by":"library"},
			{"id":"qwen3:8b","object":"model","owned_by":"library"},
			{"id":"devstral:24b","object":"model","owned_by":"library"},
			{"id":"gpt-oss:120b-cloud","object":"model","owned_by":"library"}]}`,
		"/api/ps":                           `{"models":[{"name":"devstral:24b","model":"devstral:24b","context_length":32768}]}`,
		"/api/show gemma3:4b":               `{"capabilities":["completion","vision"],"model_info":{"general.architecture":"gemma3","gemma3.context_length":131072}}`,
		"/api/show nomic-embed-text:latest": `{"capabilities":["embedding"]}`,
		"/api/show qwen3:8b":                `{"capabilities":["completion","tools"],"parameters":"stop \"<|im_end|>\"\nnum_ctx                        16384","model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}`,
		"/api/show devstral:24b":            `{"capabilities":["completion","tools"],"model_info":{"general.architecture":"llama","llama.context_length":131072}}`,
		"/api/show gpt-oss:120b-cloud":      `{"remote_host":"https://ollama.com:443","capabilities":["completion","tools"],"model_info":{"general.architecture":"gptoss","gptoss.context_length":131072}}`,
	},
	local.LlamaCpp: {
		"/props":     `{"default_generation_settings":{"n_ctx":65536},"total_slots":4,"chat_template_caps":{"supports_tools":true}}`,
		"/v1/models": `{"object":"list","data":[{"id":"qwen3-35b.gguf","owned_by":"llamacpp","meta":{"n_ctx_train":262144}}]}`,
	},
	local.LMStudio: {
		"/props":       `{"error":"Unexpected endpoint or method. (GET /props)"}`,
		"/api/version": `{"error":"Unexpected endpoint or method. (GET /api/version)"}`,
		"/api/v0/models": `{"object":"list","data":[
			{"id":"qwen3-30b","type":"llm","state":"not-loaded","max_context_length":262144},
			{"id":"text-embedding-nomic","type":"embeddings","state":"loaded","max_context_length":2048},
			{"id":"gpt-oss-20b","type":"llm","state":"loaded","max_context_length":131072,"loaded_context_length":32000}]}`,
		"/v1/models": `{"object":"list","data":[{"id":"qwen3-30b","owned_by":"organization_owner"}]}`,
	},
	local.VLLM: {
		"/v1/models": `{"object":"list","data":[{"id":"mistralai/Devstral-Small","owned_by":"vllm","max_model_len":131072}]}`,
	},
	local.Unknown: {
		"/v1/models": `{"object":"list","data":[{"id":"some-model","owned_by":"me"},{"id":"bad\u001bid"}]}`,
	},
}

func TestIdentify(t *testing.T) {
	want := map[local.Kind]local.Found{
		local.Ollama: {
			Dialect: longrein.Dialect{Server: "ollama", SystemRole: true, MaxTokensField: "max_tokens", Omit: []string{"parallel_tool_calls"}},
			Models: []local.Model{
				{ID: "devstral:24b", ContextWindow: 32768, Source: "/api/ps", Loaded: true},
				{ID: "qwen3:8b", ContextWindow: 16384, Source: "/api/show"},
				{ID: "gpt-oss:120b-cloud", ContextWindow: 131072, Source: "/api/show"},
				{ID: "gemma3:4b", ContextWindow: 4096, Source: "assumed", Assumed: true, NoTools: true},
			},
		},
		local.LlamaCpp: {
			Dialect: longrein.Dialect{Server: "llama.cpp", SystemRole: true, MaxTokensField: "max_tokens", DigitIDs: true},
			Models:  []local.Model{{ID: "qwen3-35b.gguf", ContextWindow: 65536, Source: "/props", Loaded: true}},
		},
		local.LMStudio: {
			Dialect: longrein.Dialect{Server: "lmstudio", SystemRole: true, MaxTokensField: "max_tokens", DigitIDs: true, Omit: []string{"parallel_tool_calls"}},
			Models: []local.Model{
				{ID: "gpt-oss-20b", ContextWindow: 32000, Source: "/api/v0/models", Loaded: true},
				{ID: "qwen3-30b", ContextWindow: 4096, Source: "assumed", Assumed: true},
			},
		},
		local.VLLM: {
			Dialect: longrein.Dialect{Server: "vllm", SystemRole: true, MaxTokensField: "max_tokens", DigitIDs: true},
			Models:  []local.Model{{ID: "mistralai/Devstral-Small", ContextWindow: 131072, Source: "/v1/models", Loaded: true}},
		},
		local.Unknown: {
			Dialect: longrein.Dialect{SystemRole: true, MaxTokensField: "max_tokens"},
			Models:  []local.Model{{ID: "some-model", ContextWindow: 4096, Source: "assumed", Assumed: true, Loaded: true}},
		},
	}
	for kind, w := range want {
		t.Run(kind.String(), func(t *testing.T) {
			base := "http://127.0.0.1:" + strconv.Itoa(serve(t, servers[kind])) + "/v1"
			w.Kind, w.BaseURL = kind, base
			got, ok := local.Identify(t.Context(), local.Options{Limits: patient(t)}, base)
			if !ok {
				t.Fatal("not found")
			}
			if d := cmp.Diff(w, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestFindKeepsTheOrderOfPorts(t *testing.T) {
	const nobody = 1 // a port that no other test's server can be given meanwhile
	ports := []int{serve(t, servers[local.VLLM]), nobody, serve(t, pages{}), serve(t, servers[local.Ollama])}
	found := local.Find(t.Context(), local.Options{Ports: ports, Limits: patient(t)})
	var kinds []local.Kind
	for _, f := range found {
		kinds = append(kinds, f.Kind)
	}
	if d := cmp.Diff([]local.Kind{local.VLLM, local.Ollama}, kinds); d != "" {
		t.Error(d)
	}
}

func TestFindDoesNotWaitForTheSilent(t *testing.T) {
	silent := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	start := time.Now()
	found := local.Find(t.Context(), local.Options{Ports: []int{silent}})
	if took := time.Since(start); len(found) != 0 || took > 2*time.Second {
		t.Errorf("%v after %v", found, took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := local.Identify(ctx, local.Options{}, "http://127.0.0.1:1/v1"); ok {
		t.Error("found something with an ended context")
	}
}

func TestWhatIsNoModelServerIsNotFound(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"a web page for everything": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>hello</html>") },
		"JSON of another kind":      func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"ok":true}`) },
		"a list without end": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"data":[`+strings.Repeat(`{"id":"x"},`, 200_000))
		},
		"a redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
	} {
		t.Run(name, func(t *testing.T) {
			found := local.Find(t.Context(), local.Options{Ports: []int{serve(t, h)}, Limits: patient(t)})
			if len(found) != 0 {
				t.Errorf("found %+v", found)
			}
		})
	}
}

func TestText(t *testing.T) {
	found := []local.Found{
		{Kind: local.Ollama, BaseURL: "http://127.0.0.1:11434/v1", Models: []local.Model{
			{ID: "qwen3:8b", ContextWindow: 4096, Assumed: true}, {ID: "gemma3:4b", ContextWindow: 8192, NoTools: true},
		}},
		{Kind: local.VLLM, BaseURL: "http://127.0.0.1:8000/v1", Models: []local.Model{
			{ID: "a", ContextWindow: 1},
			{ID: "b", ContextWindow: 1},
			{ID: "c", ContextWindow: 1},
			{ID: "d", ContextWindow: 1},
			{ID: "e", ContextWindow: 1},
			{ID: "f", ContextWindow: 1},
			{ID: "g", ContextWindow: 1},
		}},
		{Kind: local.LMStudio, BaseURL: "http://127.0.0.1:1234/v1"},
	}
	want := `Ollama at http://127.0.0.1:11434/v1: qwen3:8b (4096 tokens assumed), gemma3:4b (8192 tokens, cannot call tools)
  Ollama does not say how long the context window of qwen3:8b is, 4096 tokens are assumed, which is little for an agent; start it with OLLAMA_CONTEXT_LENGTH=65536 ollama serve, or set context_window for it in the settings if you already give it more
vLLM at http://127.0.0.1:8000/v1: a (1 tokens), b (1 tokens), c (1 tokens), d (1 tokens), e (1 tokens), and 2 more
LM Studio at http://127.0.0.1:1234/v1: no models
`
	if d := cmp.Diff(want, local.Text(found)); d != "" {
		t.Error(d)
	}
	if got := local.Text(nil); got != "" {
		t.Errorf("nothing found, and yet %q", got)
	}
}

func TestDialectFor(t *testing.T) {
	for base, want := range map[string]longrein.Dialect{
		"https://api.openai.com/v1":              {Server: "openai"},
		"https://corp.openai.azure.com/openai":   {Server: "openai"},
		"https://api.anthropic.com":              {Server: "anthropic"},
		"https://OpenRouter.ai/api/v1":           {Server: "openrouter", SystemRole: true, MaxTokensField: "max_tokens", EchoReasoning: "reasoning"},
		"https://api.deepseek.com":               {Server: "deepseek", SystemRole: true, MaxTokensField: "max_tokens", EchoReasoning: "reasoning_content"},
		"https://api.mistral.ai/v1":              {SystemRole: true, MaxTokensField: "max_tokens", DigitIDs: true, Omit: []string{"stream_options"}},
		"https://notapi.openai.com.evil.example": {SystemRole: true, MaxTokensField: "max_tokens"},
		"http://127.0.0.1:8080/v1":               {SystemRole: true, MaxTokensField: "max_tokens"},
		"://":                                    {SystemRole: true, MaxTokensField: "max_tokens"},
	} {
		if d := cmp.Diff(want, local.DialectFor(base)); d != "" {
			t.Errorf("%s: %s", base, d)
		}
	}
}

func FuzzIdentify(f *testing.F) {
	for _, p := range servers {
		for path, text := range p {
			f.Add(path, text)
		}
	}
	f.Fuzz(func(t *testing.T, path, text string) {
		port := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(path, r.URL.Path) || r.URL.Path == "/v1/models" {
				io.WriteString(w, text)
			}
		}))
		for _, f := range local.Find(t.Context(), local.Options{Ports: []int{port}, Limits: patient(t)}) {
			for _, m := range f.Models {
				if m.ContextWindow <= 0 || m.ID == "" {
					t.Errorf("%+v", m)
				}
			}
		}
	})
}
