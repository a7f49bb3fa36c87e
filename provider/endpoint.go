package provider

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Endpoint is where a model answers and how it wants to be asked. Name and
// BaseURL are required, the zero value of every other field works.
type Endpoint struct {
	// Name is the provider's name in the settings, for messages.
	Name string
	// BaseURL is what paths such as "responses" are joined to, usually with
	// "/v1" at its end.
	BaseURL string
	Wire    longrein.Wire
	// Key returns the key to send; nil sends none. It is asked for every
	// request, so it caches what is costly. See [KeyFrom].
	Key func(context.Context) (string, error)
	// Header and Query are added to every request. No error shows the query, or
	// a value whose name says that it is a credential.
	Header  http.Header
	Query   url.Values
	HTTP    *http.Client // nil means [http.DefaultClient]; see [NewHTTP]
	Limits  limit.Set
	Dialect longrein.Dialect
}

// Client returns the HTTP client to ask with.
func (e Endpoint) Client() *http.Client {
	if e.HTTP == nil {
		return http.DefaultClient
	}
	return e.HTTP
}

// Secret returns the key to send, "" for none. Its error is a
// [*longrein.ModelError] that says where the key should have come from, unless
// ctx ended it.
func (e Endpoint) Secret(ctx context.Context) (string, error) {
	if e.Key == nil {
		return "", nil
	}
	return e.Key(ctx)
}

// Where returns the base URL as it may be shown: without user, password and
// query.
func (e Endpoint) Where() string { return showURL(e.BaseURL) }

func showURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "its base_url"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

func (e Endpoint) name() string { return cmp.Or(e.Name, "the provider") }

// redact takes out of text whatever e sends in confidence. The key is taken as
// far as it is known already: with its context over, a source does not wait.
func (e Endpoint) redact(text string) string {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	key, _ := e.Secret(ctx)
	secrets := credentials([]string{key}, e.Header)
	return Redact(text, credentials(secrets, e.Query)...)
}

// credentials appends to out the values in m whose names say what they are.
func credentials(out []string, m map[string][]string) []string {
	for name, values := range m {
		name = strings.ToLower(name)
		if slices.ContainsFunc(credentialNames, func(w string) bool { return strings.Contains(name, w) }) {
			out = append(out, values...)
		}
	}
	return out
}

var credentialNames = []string{"key", "token", "secret", "auth", "cookie", "pass", "sig"}
