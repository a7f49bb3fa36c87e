package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/longrein/longrein/limit"
)

// What a client of NewHTTP fails with beyond the errors of net/http.
type (
	redirection  struct{ to string }     // an answer that points elsewhere
	proxyRefusal struct{ status string } // an answer to CONNECT that is not 200
	responseOver struct{ limit int64 }   // a response of more bytes than that
)

func (e redirection) Error() string  { return "redirected to " + e.to }
func (e proxyRefusal) Error() string { return e.status }
func (e responseOver) Error() string { return fmt.Sprintf("a response of over %d bytes", e.limit) }

func refuseRedirect(r *http.Request, _ []*http.Request) error {
	return redirection{showURL(r.URL.String())}
}

func checkTunnel(_ context.Context, _ *url.URL, _ *http.Request, r *http.Response) error {
	if r.StatusCode == http.StatusOK {
		return nil
	}
	return proxyRefusal{r.Status}
}

// bounded keeps the limits that a transport has no setting for: the time until
// there is a connection, proxy and TLS included, and the bytes of an answer. It
// also speaks for Longrein where an SDK would for itself and the machine.
type bounded struct {
	next   http.RoundTripper
	limits limit.Set
	agent  string
}

func (b *bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: connected}))
	b.sign(r.Header)
	resp, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	n := b.limits.Of(limit.Response)
	if resp.StatusCode >= 400 {
		n = b.limits.Of(limit.ErrorBody)
	}
	resp.Body = &body{
		ReadCloser: resp.Body, ctx: r.Context(),
		left: n, limit: n, short: resp.StatusCode >= 400,
	}
	return resp, nil
}

// dial connects with a deadline that goes on for the handshakes to come, with
// the proxy and for TLS, until connected lifts it. A context does not reach
// them: a transport may go on connecting for a request that has ended.
func (b *bounded) dial(ctx context.Context, network, address string) (net.Conn, error) {
	end := time.Now().Add(b.limits.Duration(limit.Connect))
	conn, err := (&net.Dialer{Deadline: end}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return conn, conn.SetDeadline(end)
}

func connected(info httptrace.GotConnInfo) { _ = info.Conn.SetDeadline(time.Time{}) }

// notConnected reports whether err is that dial's deadline, or the transport's
// for TLS.
func notConnected(err error) bool {
	var op *net.OpError
	return errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &op) && op.Op == "dial" && op.Timeout() ||
		strings.Contains(err.Error(), "TLS handshake timeout")
}

func (b *bounded) sign(h http.Header) {
	if agent := h.Get("User-Agent"); agent == "" || strings.Contains(agent, "/Go ") { // an SDK's own
		h.Set("User-Agent", b.agent)
	}
	for name := range h {
		if strings.HasPrefix(name, "X-Stainless-") {
			h.Del(name)
		}
	}
}

// body is a response's body. It tells the watchdog what comes and fails where
// more than limit bytes do.
type body struct {
	io.ReadCloser
	ctx         context.Context
	left, limit int64
	short       bool // an error answer, which just ends at the limit
}

func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, b.over()
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left+1)])
	if n > 0 {
		alive(b.ctx)
	}
	b.left -= int64(n)
	if b.left < 0 {
		return n - 1, b.over()
	}
	return n, err
}

func (b *body) over() error {
	if b.short {
		return io.EOF
	}
	return responseOver{b.limit}
}
