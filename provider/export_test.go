package provider

import (
	"net/http"
	"testing"
)

// ProxyFor returns the proxy that spec takes for a URL, "" for none.
func ProxyFor(t *testing.T, spec Transport, target string) string {
	t.Helper()
	proxy, err := spec.proxy()
	if err != nil {
		t.Fatal(err)
	}
	if proxy == nil {
		return ""
	}
	r, err := http.NewRequest(http.MethodPost, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := proxy(r)
	if err != nil {
		t.Fatal(err)
	}
	if u == nil {
		return ""
	}
	return u.String()
}
