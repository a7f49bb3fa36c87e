package provider

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"

	"github.com/longrein/longrein/limit"
)

// Transport says how a provider is reached. The zero value goes the way that
// the environment names.
type Transport struct {
	// Proxy is a proxy's URL with the scheme http, https, socks5 or socks5h, or
	// "direct" for none. Both kinds of SOCKS leave the look-up of names to the
	// proxy. Empty means HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY of the
	// environment, and then loopback is always reached directly.
	Proxy string
	// CAFile names a PEM file with authorities to trust beside the system's.
	CAFile string
	// Version is Longrein's, for the User-Agent.
	Version string
	Limits  limit.Set
}

// NewHTTP returns a client for one provider. It bounds connecting, the wait for
// the first byte, and the size of what is read; the time of a whole response it
// does not bound. It follows no redirect, because a wrong base_url should be
// told, not mended at every request. An error says which setting is wrong.
func NewHTTP(spec Transport) (*http.Client, error) {
	proxy, err := spec.proxy()
	if err != nil {
		return nil, err
	}
	roots, err := spec.roots()
	if err != nil {
		return nil, err
	}
	b := &bounded{limits: spec.Limits, agent: "longrein/" + cmp.Or(spec.Version, "dev")}
	b.next = &http.Transport{
		Proxy:                  proxy,
		OnProxyConnectResponse: checkTunnel,
		DialContext:            b.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		TLSHandshakeTimeout:    spec.Limits.Duration(limit.Connect),
		ResponseHeaderTimeout:  spec.Limits.Duration(limit.FirstByte),
		IdleConnTimeout:        spec.Limits.Duration(limit.IdleConnection),
		ForceAttemptHTTP2:      true,
	}
	return &http.Client{Transport: b, CheckRedirect: refuseRedirect}, nil
}

func (s Transport) roots() (*x509.CertPool, error) {
	if s.CAFile == "" {
		return nil, nil // the system's, read when they are needed
	}
	pem, err := os.ReadFile(s.CAFile)
	if err != nil {
		return nil, fmt.Errorf("ca_file: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("ca_file: %s holds no certificate in PEM form", s.CAFile)
	}
	return roots, nil
}
