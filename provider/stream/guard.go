package stream

import (
	"bufio"
	"io"
	"net/http"
	"strings"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

// Middleware is what both SDKs let stand around each request they send.
type Middleware = func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error)

// Guard lets streams pass and makes a [*longrein.ModelError] of every other
// answer, before an SDK reads it: error statuses, web pages, JSON. What kind of
// answer it is shows in its first byte; servers' content types are not to be
// relied on.
func Guard(ep provider.Endpoint) Middleware {
	return func(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
		resp, err := next(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 400 && isStream(resp) {
			return resp, nil
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(io.LimitReader(resp.Body, ep.Limits.Of(limit.ErrorBody)))
		if err != nil && len(text) == 0 {
			return nil, err
		}
		return nil, provider.Refusal(ep, resp.StatusCode, resp.Header, text)
	}
}

// isStream looks at the answer's first byte, for which it waits.
func isStream(resp *http.Response) bool {
	body := bufio.NewReader(resp.Body)
	end := strings.NewReader("\n\n") // some servers do not end their last event
	resp.Body = peeked{io.MultiReader(body, end), resp.Body}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return false
	}
	for {
		first, err := body.ReadByte()
		if err != nil {
			return true // an empty answer, or an error that reading on will meet again
		}
		if !strings.ContainsRune(" \t\r\n", rune(first)) {
			_ = body.UnreadByte() // cannot fail after a read
			return !strings.ContainsRune("<{[", rune(first))
		}
	}
}

// peeked is a body of which a part was read into a buffer.
type peeked struct {
	io.Reader
	io.Closer
}
