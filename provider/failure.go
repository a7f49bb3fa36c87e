package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Failure says what it means for ep that a request failed with err without an
// HTTP answer, or while one was read. It returns the [*longrein.ModelError] in
// err's chain if there is one. The text names neither key nor query. Callers
// look at their context first: what it ended is no failure.
func Failure(ep Endpoint, err error) *longrein.ModelError {
	var known *longrein.ModelError
	if errors.As(err, &known) {
		return known
	}
	err = withoutURL(err)
	for _, look := range []func(Endpoint, error) *longrein.ModelError{
		answerFailure, proxyFailure, lookupFailure, timeFailure, tlsFailure, connectFailure, streamFailure,
	} {
		if e := look(ep, err); e != nil {
			return e
		}
	}
	return network(ep, err, "the request to %s failed: %s", ep.Where(), cause(ep, err))
}

// withoutURL unwraps the error of an HTTP client, whose text holds the query.
func withoutURL(err error) error {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return err
}

func answerFailure(ep Endpoint, err error) *longrein.ModelError {
	var moved redirection
	if errors.As(err, &moved) {
		return failed(ep, longrein.ErrNotFound, err, "the server redirects to %s; write that place into base_url", moved.to)
	}
	var over responseOver
	if errors.As(err, &over) {
		return failed(ep, longrein.ErrLimit, err, "the response is longer than %d bytes (limit response) and was broken off", over.limit)
	}
	return nil
}

func timeFailure(ep Endpoint, err error) *longrein.ModelError {
	var n net.Error
	switch {
	case notConnected(err):
		return unreached(ep, err, "no connection to %s within %v (limit connect); check base_url, the proxy and the network", ep.Where(), ep.Limits.Duration(limit.Connect))
	case strings.Contains(err.Error(), "awaiting response headers"):
		return failed(ep, longrein.ErrIdle, err, "%s accepted the request and sent nothing for %v (limit first-byte)", ep.Where(), ep.Limits.Duration(limit.FirstByte))
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &n) && n.Timeout():
		return network(ep, err, "%s took too long: %s; check the network, or whether the server is busy", ep.Where(), cause(ep, err))
	}
	return nil
}

func proxyFailure(ep Endpoint, err error) *longrein.ModelError {
	var refused proxyRefusal
	if errors.As(err, &refused) {
		return lasting(ep, err, "the proxy refused to connect to %s: %s; check proxy in the settings, or HTTPS_PROXY and ALL_PROXY", ep.Where(), cause(ep, err))
	}
	var op *net.OpError
	if !errors.As(err, &op) || !strings.Contains(op.Op, "proxy") && !strings.Contains(op.Op, "socks") {
		return nil
	}
	why := cause(ep, err)
	if notConnected(err) {
		why = fmt.Sprintf("nothing within %v (limit connect)", ep.Limits.Duration(limit.Connect))
	}
	return unreached(ep, err, "%s cannot be reached through the proxy: %s; check that the proxy runs, and proxy in the settings or HTTPS_PROXY and ALL_PROXY", ep.Where(), why)
}

func tlsFailure(ep Endpoint, err error) *longrein.ModelError {
	check := tlsCheck(err)
	if check == "" {
		return nil
	}
	return lasting(ep, err, "no secure connection to %s: %s", ep.Where(), ep.redact(check))
}

// tlsCheck says which check of a connection failed and what to try, "" if none
// did.
func tlsCheck(err error) string {
	var (
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
		record  tls.RecordHeaderError
		alert   tls.AlertError
		other   *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &unknown):
		return "its certificate was issued by an authority that this machine does not know; if it is your own or your company's, name its file with ca_file"
	case errors.As(err, &host):
		return fmt.Sprintf("its certificate is for another name than %q; check the host in base_url", host.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired or is not valid yet; check this machine's clock"
	case errors.As(err, &invalid):
		return "its certificate is not valid: " + invalid.Error()
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return "it does not speak TLS; if it is a local server, write http:// in base_url"
	case errors.As(err, &alert):
		return "it broke off the TLS handshake: " + alert.Error()
	case errors.As(err, &other):
		return "its certificate cannot be verified: " + other.Err.Error()
	}
	return ""
}

func lookupFailure(ep Endpoint, err error) *longrein.ModelError {
	var dns *net.DNSError
	if !errors.As(err, &dns) {
		return nil
	}
	if dns.IsNotFound {
		return unreached(ep, err, "there is no host %q; check base_url (%s) and the network", dns.Name, ep.Where())
	}
	return unreached(ep, err, "the name %q cannot be looked up: %s; check the network", dns.Name, dns.Err)
}

func connectFailure(ep Endpoint, err error) *longrein.ModelError {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return unreached(ep, err, "nothing answers at %s (connection refused); is the server running, and is base_url right?", ep.Where())
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return unreached(ep, err, "no way to %s; check the network", ep.Where())
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return lasting(ep, err, "this machine does not let Longrein connect to %s; check its firewall or sandbox", ep.Where())
	}
	return nil
}

func streamFailure(ep Endpoint, err error) *longrein.ModelError {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return cut(ep, err, "%s sent an event that is not JSON: %s", ep.name(), cause(ep, err))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return cut(ep, err, "the connection to %s ended before the answer was whole", ep.Where())
	case strings.Contains(err.Error(), "http2: "), strings.Contains(err.Error(), "stream error: "):
		return cut(ep, err, "%s broke off the answer: %s", ep.Where(), cause(ep, err))
	}
	return nil
}

func network(ep Endpoint, err error, format string, args ...any) *longrein.ModelError {
	return failed(ep, longrein.ErrNetwork, err, format, args...)
}

func cut(ep Endpoint, err error, format string, args ...any) *longrein.ModelError {
	return failed(ep, longrein.ErrStreamCut, err, format, args...)
}

// unreached is network for an error before any byte was exchanged, after which
// a first request is not repeated for long.
func unreached(ep Endpoint, err error, format string, args ...any) *longrein.ModelError {
	return network(ep, noContact{err}, format, args...)
}

// lasting is network for an error that asking again does not change.
func lasting(ep Endpoint, err error, format string, args ...any) *longrein.ModelError {
	return network(ep, forGood{err}, format, args...)
}

func failed(ep Endpoint, kind longrein.ErrorKind, err error, format string, args ...any) *longrein.ModelError {
	text := ep.name() + ": " + fmt.Sprintf(format, args...)
	return &longrein.ModelError{Kind: kind, Text: text, Err: err}
}

// noContact and forGood mark causes for [Retry].
type (
	noContact struct{ error }
	forGood   struct{ error }
)

func (e noContact) Unwrap() error { return e.error }
func (e forGood) Unwrap() error   { return e.error }

// cause is the text of err as it may be shown.
func cause(ep Endpoint, err error) string {
	return ep.clean(err.Error())
}
