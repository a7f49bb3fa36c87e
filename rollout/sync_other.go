//go:build !linux

package rollout

import "os"

// syncData asks for all that the system can promise; on macOS that includes the
// drive's own cache.
func syncData(f *os.File) error { return f.Sync() }
