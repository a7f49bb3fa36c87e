package sandbox

import "context"

// OpenLandlockAlone opens a box whose commands get no mounts of their own, as
// on a machine that forbids user namespaces.
func OpenLandlockAlone(ctx context.Context, r Rules) (*Box, error) {
	return openLandlock(ctx, r, false)
}
