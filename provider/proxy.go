package provider

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

type proxyFunc = func(*http.Request) (*url.URL, error)

// proxy returns the choice of a proxy for each request, nil for none.
func (s Transport) proxy() (proxyFunc, error) {
	switch s.Proxy {
	case "direct":
		return nil, nil
	case "":
		return environmentProxy(os.Getenv)
	}
	u, err := parseProxy(s.Proxy)
	if err != nil {
		return nil, fmt.Errorf("proxy: %w", err)
	}
	return http.ProxyURL(u), nil
}

// parseProxy reads a proxy's URL. Its errors leave out the URL, which may hold
// a password.
func parseProxy(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("not a URL such as socks5h://127.0.0.1:1080")
	}
	if !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return nil, fmt.Errorf("no proxy of the kind %q; there are http, https, socks5, socks5h and direct", u.Scheme)
	}
	return u, nil
}

// environmentProxy reads the variables as other programs do; unlike
// [http.ProxyFromEnvironment] it knows ALL_PROXY.
func environmentProxy(getenv func(string) string) (proxyFunc, error) {
	secure, err := proxyNamed(getenv, "HTTPS_PROXY", "ALL_PROXY")
	if err != nil {
		return nil, err
	}
	plain, err := proxyNamed(getenv, "HTTP_PROXY", "ALL_PROXY")
	if err != nil {
		return nil, err
	}
	if secure == nil && plain == nil {
		return nil, nil
	}
	direct := strings.Split(either(getenv, "NO_PROXY"), ",")
	return func(r *http.Request) (*url.URL, error) {
		switch {
		case isLoopback(r.URL.Hostname()) || exempt(direct, r.URL):
			return nil, nil
		case r.URL.Scheme == "https":
			return secure, nil
		}
		return plain, nil
	}, nil
}

// proxyNamed returns the proxy in the first of the variables that is set.
func proxyNamed(getenv func(string) string, names ...string) (*url.URL, error) {
	for _, name := range names {
		v := either(getenv, name)
		if v == "" {
			continue
		}
		u, err := parseProxy(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return u, nil
	}
	return nil, nil
}

// either reads a variable under its name in capital or in small letters.
func either(getenv func(string) string, name string) string {
	return cmp.Or(getenv(name), getenv(strings.ToLower(name)))
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// exempt reports whether an entry of NO_PROXY covers u: "*", an address, a
// range such as 10.0.0.0/8, or a domain, which covers the names below it; each
// with a port or without.
func exempt(entries []string, u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	port := cmp.Or(u.Port(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	return slices.ContainsFunc(entries, func(e string) bool {
		e = strings.ToLower(strings.TrimSpace(e))
		if h, p, err := net.SplitHostPort(e); err == nil {
			return p == port && covers(h, host)
		}
		return covers(e, host)
	})
}

func covers(entry, host string) bool {
	if entry == "*" || entry == host {
		return true
	}
	if r, err := netip.ParsePrefix(entry); err == nil {
		ip, err := netip.ParseAddr(host)
		return err == nil && r.Contains(ip.Unmap())
	}
	domain := strings.TrimLeft(entry, "*.")
	return domain != "" && (host == domain || strings.HasSuffix(host, "."+domain))
}
