//go:build !linux

package sandbox

import (
	"context"
	"errors"
	"runtime"
)

func open(context.Context, Rules, Method) (*Box, error) {
	return nil, errors.New("not available on " + runtime.GOOS)
}

// Main does nothing on this system.
func Main() {}
