package anthropic

import (
	"context"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/providertest"
)

func TestModel(t *testing.T) {
	providertest.Run(t, longrein.WireMessages, func(url string) longrein.Model {
		return New(endpoint(t, url))
	})
}

func endpoint(t testing.TB, url string) provider.Endpoint {
	t.Helper()
	client, err := provider.NewHTTP(provider.Transport{Proxy: "direct"})
	if err != nil {
		t.Fatal(err)
	}
	return provider.Endpoint{
		Name: "test", BaseURL: url, Wire: longrein.WireMessages, HTTP: client,
		Key: func(context.Context) (string, error) { return providertest.Key, nil },
	}
}
