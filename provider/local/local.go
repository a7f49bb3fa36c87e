package local

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Kind is a kind of local server, named as in [longrein.Dialect].
type Kind string

// The kinds that are told apart. Unknown is any other that lists its models as
// OpenAI does.
const (
	Ollama   Kind = "ollama"
	LlamaCpp Kind = "llama.cpp"
	LMStudio Kind = "lmstudio"
	VLLM     Kind = "vllm"
	Unknown  Kind = ""
)

// String names the kind for people.
func (k Kind) String() string {
	switch k {
	case Ollama:
		return "Ollama"
	case LlamaCpp:
		return "llama.cpp"
	case LMStudio:
		return "LM Studio"
	case VLLM:
		return "vLLM"
	}
	return "an OpenAI-compatible server"
}

// Found is a server that answered.
type Found struct {
	Kind    Kind
	BaseURL string // for the wire "chat", usually with /v1 at its end
	Dialect longrein.Dialect
	Models  []Model // the best choice first: loaded, able to call tools
}

// Model is a model that a server offers for chat.
type Model struct {
	ID            string
	ContextWindow int    // tokens
	Source        string // where that number is from, such as "/props"
	Assumed       bool   // the server did not tell, the number is a guess
	Loaded        bool   // ready to answer
	NoTools       bool   // the server says that it cannot call tools
}

// Options say how to look. The zero value looks at the usual ports.
type Options struct {
	Ports  []int        // of 127.0.0.1, in the order of preference; nil means 11434, 8080, 1234, 8000
	HTTP   *http.Client // nil means one that uses no proxy
	Limits limit.Set
}

// usualPorts are those of Ollama, llama.cpp, LM Studio and vLLM.
var usualPorts = []int{11434, 8080, 1234, 8000}

// Find returns the servers that answer on the ports, in the order of those. It
// asks all at once and takes at most twice the limit probe.
func Find(ctx context.Context, o Options) []Found {
	ports := o.Ports
	if ports == nil {
		ports = usualPorts
	}
	o.HTTP, _ = o.client()
	defer o.HTTP.CloseIdleConnections()
	all := make([]Found, len(ports))
	there := make([]bool, len(ports))
	var wait sync.WaitGroup
	for i, port := range ports {
		wait.Go(func() {
			all[i], there[i] = Identify(ctx, o, "http://127.0.0.1:"+strconv.Itoa(port)+"/v1")
		})
	}
	wait.Wait()
	var out []Found
	for i, f := range all {
		if there[i] {
			out = append(out, f)
		}
	}
	return out
}

// Identify returns the server at a base URL, and false if none answers there or
// what answers is no model server. It sends no key.
func Identify(ctx context.Context, o Options, baseURL string) (Found, bool) {
	client, own := o.client()
	if own {
		defer client.CloseIdleConnections()
	}
	root := strings.TrimSuffix(strings.TrimRight(baseURL, "/"), "/v1")
	s := server{client: client, root: root, limits: o.Limits}
	a, ok := s.probe(ctx)
	if !ok {
		return Found{}, false
	}
	f := Found{Kind: a.kind(), BaseURL: baseURL}
	f.Dialect = dialectOf(f.Kind)
	f.Models = s.models(ctx, f.Kind, a)
	return f, true
}

// client returns the client to use and whether it was made for the call.
func (o Options) client() (*http.Client, bool) {
	if o.HTTP != nil {
		return o.HTTP, false
	}
	return &http.Client{
		Transport:     &http.Transport{}, // unlike the default one it looks for no proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, true
}
