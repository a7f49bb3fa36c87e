package provider

import "errors"

// errConnect is why a request's context ends when no connection was made in
// time.
var errConnect = errors.New("no connection in time")

// proxyRefusal is a proxy's answer to CONNECT that is not 200.
type proxyRefusal struct{ status string }

func (e *proxyRefusal) Error() string { return e.status }
