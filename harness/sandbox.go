package harness

import (
	"context"

	"github.com/longrein/longrein/tool/sandbox"
)

// Sandbox says what would hold commands to the rules here. It starts a process
// or two to find out.
func (h *Harness) Sandbox(ctx context.Context) sandbox.Report {
	s := h.opts.Settings
	return sandbox.Open(ctx, sandbox.Rules{
		Mode: sandbox.Mode(s.Sandbox), Cwd: h.opts.Cwd, Writable: s.Tools.Writable,
		Protected: []string{s.Paths.Data, s.Paths.Config}, Network: s.Tools.Network,
	}).Report()
}
