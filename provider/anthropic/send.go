package anthropic

import (
	"context"
	"net/http"
	"strings"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/ssestream"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/stream"
)

// New returns the model that answers at ep on the Messages wire; ep's base URL
// may end in /v1 or before it. Safe for concurrent use.
func New(ep provider.Endpoint) longrein.Model {
	return stream.New(ep, stream.Wire{Send: send, Decode: decode, Reader: newReader})
}

func send(ctx context.Context, ep provider.Endpoint, key string, r longrein.Request) (*http.Response, error) {
	client := anthropic.NewClient(
		option.WithoutEnvironmentDefaults(),
		option.WithBaseURL(root(ep.BaseURL)),
		option.WithHTTPClient(ep.Client()),
		option.WithMaxRetries(0),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithMiddleware(stream.Guard(ep)),
	)
	var resp *http.Response
	body := option.WithRequestBody("application/json", r.Body)
	err := client.Post(ctx, "v1/messages", nil, &resp, append(own(ep, key), body)...)
	return resp, err
}

// root is the base URL without the version, which the SDK's paths begin with.
func root(base string) string {
	return strings.TrimSuffix(strings.TrimRight(base, "/"), "/v1") + "/"
}

// own returns what is an endpoint's own: its key, headers and query.
func own(ep provider.Endpoint, key string) []option.RequestOption {
	var opts []option.RequestOption
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
		if ep.Dialect.Server != "anthropic" { // others may know only the older header
			opts = append(opts, option.WithHeader("X-Api-Key", key))
		}
	}
	for name, values := range ep.Header {
		opts = append(opts, option.WithHeaderDel(name))
		for _, v := range values {
			opts = append(opts, option.WithHeaderAdd(name, v))
		}
	}
	for name, values := range ep.Query {
		for _, v := range values {
			opts = append(opts, option.WithQueryAdd(name, v))
		}
	}
	return opts
}

func decode(resp *http.Response) stream.Decoder { return decoder{ssestream.NewDecoder(resp)} }

type decoder struct{ ssestream.Decoder }

func (d decoder) Data() []byte { return d.Event().Data }
