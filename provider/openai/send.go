package openai

import (
	"context"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/stream"
)

// NewResponses returns the model that answers at ep on the Responses wire. Safe
// for concurrent use.
func NewResponses(ep provider.Endpoint) longrein.Model {
	return stream.New(ep, stream.Wire{Send: sendTo("responses"), Decode: decode, Reader: newResponses})
}

// NewChat returns the model that answers at ep on the Chat Completions wire.
// Safe for concurrent use.
func NewChat(ep provider.Endpoint) longrein.Model {
	return stream.New(ep, stream.Wire{Send: sendTo("chat/completions"), Decode: decode, Reader: newChat})
}

type sender = func(context.Context, provider.Endpoint, string, longrein.Request) (*http.Response, error)

func sendTo(path string) sender {
	return func(ctx context.Context, ep provider.Endpoint, key string, r longrein.Request) (*http.Response, error) {
		// Not openai.NewClient: that takes keys, base URL and headers from the environment.
		client := openai.Client{Options: []option.RequestOption{
			option.WithBaseURL(ep.BaseURL),
			option.WithHTTPClient(ep.Client()),
			option.WithMaxRetries(0),
			option.WithHeader("Accept", "text/event-stream"),
			option.WithMiddleware(stream.Guard(ep)),
		}}
		var resp *http.Response
		body := option.WithRequestBody("application/json", r.Body)
		err := client.Post(ctx, path, nil, &resp, append(own(ep, key), body)...)
		return resp, err
	}
}

// own returns what is an endpoint's own: its key, headers and query.
func own(ep provider.Endpoint, key string) []option.RequestOption {
	var opts []option.RequestOption
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
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
