package openai

import (
	"context"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/providertest"
)

func TestResponses(t *testing.T) {
	providertest.Run(t, longrein.WireResponses, func(url string) longrein.Model {
		return NewResponses(endpoint(t, url, longrein.WireResponses))
	})
}

func TestChat(t *testing.T) {
	providertest.Run(t, longrein.WireChat, func(url string) longrein.Model {
		return NewChat(endpoint(t, url, longrein.WireChat))
	})
}

func endpoint(t testing.TB, url string, w longrein.Wire) provider.Endpoint {
	t.Helper()
	client, err := provider.NewHTTP(provider.Transport{Proxy: "direct"})
	if err != nil {
		t.Fatal(err)
	}
	return provider.Endpoint{
		Name: "test", BaseURL: url, Wire: w, HTTP: client,
		Key: func(context.Context) (string, error) { return providertest.Key, nil },
	}
}
