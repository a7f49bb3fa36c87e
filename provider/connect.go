package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"github.com/longrein/longrein/limit"
)

// What a client of NewHTTP fails with beyond the errors of net/http.
var errConnect = errors.New("no connection in time")

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
// there is a connection, whatever is on the way to it, and the bytes of an
// answer. It also speaks for Longrein where an SDK would for itself and the
// machine.
type bounded struct {
	next   http.RoundTripper
	limits limit.Set
	agent  string
}

func (b *bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	late := time.AfterFunc(b.limits.Duration(limit.Connect), func() { cancel(errConnect) })
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { late.Stop() },
	})
	r = r.Clone(ctx)
	b.sign(r.Header)
	resp, err := b.next.RoundTrip(r)
	late.Stop()
	if err != nil {
		if errors.Is(context.Cause(ctx), errConnect) {
			err = errConnect
		}
		cancel(nil)
		return nil, err
	}
	n := b.limits.Of(limit.Response)
	if resp.StatusCode >= 400 {
		n = b.limits.Of(limit.ErrorBody)
	}
	resp.Body = &body{
		ReadCloser: resp.Body, ctx: ctx, cancel: cancel,
		left: n, limit: n, short: resp.StatusCode >= 400,
	}
	return resp, nil
}

func (b *bounded) sign(h http.Header) {
	h.Set("User-Agent", b.agent)
	for name := range h {
		if strings.HasPrefix(name, "X-Stainless-") {
			h.Del(name)
		}
	}
}

// body is a response's body. It tells the watchdog what comes and fails where
// more than limit bytes do; closing it ends its request's context.
type body struct {
	io.ReadCloser
	ctx         context.Context
	cancel      context.CancelCauseFunc
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

func (b *body) Close() error {
	defer b.cancel(nil)
	return b.ReadCloser.Close()
}
