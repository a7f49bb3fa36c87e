package tool

import (
	"fmt"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/tool/output"
	"github.com/longrein/longrein/tool/sandbox"
	"github.com/longrein/longrein/tool/shell"
)

// headRoom is what the lines above a command's output can take at most.
const headRoom = 512 // fixed: it is kept free for this program's own words

// report turns a run into what the model sees: a line on how it ended, and the
// output.
func (s *Set) report(call longrein.ToolCall, r *run) longrein.ToolResult {
	if r.err != nil {
		return failed(call, "not run: %v", r.err)
	}
	view := r.out.View(s.o.Limits.Int(limit.ToolOutput) - headRoom)
	res := result(call, status(r), "")
	res.Limits = r.limits
	if r.Ending == shell.Exited {
		code := r.Code // r holds the whole output
		res.Output.Exit = &code
	}
	head := ending(r)
	if view.Bytes > 0 {
		head += "; " + s.keep(&res, r, view)
	}
	if hint := s.hint(r); hint != "" {
		head += "\n" + hint
	}
	body := view.Text
	if body == "" {
		body = noOutput
	}
	res.Output.Text = head + "\n" + body
	return res
}

func status(r *run) longrein.OutputStatus {
	switch {
	case r.Ending == shell.Interrupted:
		return longrein.OutputInterrupted
	case r.Ending == shell.TimedOut || r.Code != 0:
		return longrein.OutputFailed
	}
	return longrein.OutputOK
}

func ending(r *run) string {
	head := fmt.Sprintf("exit code %d, %.1f s", r.Code, r.Took.Seconds())
	switch r.Ending {
	case shell.TimedOut:
		head = fmt.Sprintf("timed out after %.1f s and was ended (exit code %d)", r.timeout.Seconds(), r.Code)
	case shell.Interrupted:
		head = fmt.Sprintf("interrupted after %.1f s", r.Took.Seconds())
	}
	if r.Left {
		head += "; what it left in the background was ended"
	}
	return head
}

// keep stores an output of which the view shows only a part, and says where the
// rest is.
func (s *Set) keep(res *longrein.ToolResult, r *run, view output.View) string {
	cut := fmt.Sprintf("%d lines (%s) not shown", view.Lines, output.Size(view.Bytes))
	where := ""
	defer func() {
		res.Limits = append(res.Limits, s.o.Limits.Hit(limit.ToolOutput, "output of a command", view.Bytes, where))
	}()
	if s.o.Blobs == nil {
		return cut + " and not kept"
	}
	content, missing, lost := r.out.Content()
	blob, err := s.o.Blobs.PutBlob(content)
	if err != nil {
		return cut + " and lost, because they could not be stored"
	}
	res.Output.Full = &blob
	where = "read_output " + blob.ID
	cut += fmt.Sprintf(`: read_output {"id":"%s","offset":%d}`, blob.ID, view.Offset)
	if missing == 0 {
		return cut
	}
	if lost == nil {
		res.Limits = append(res.Limits, s.o.Limits.Hit(limit.CommandOutput, "stored output of a command", missing, ""))
	}
	return cut + fmt.Sprintf(", of which the last %s are not kept", output.Size(missing))
}

// hint tells the model of the sandbox when that seems to be why a command failed.
func (s *Set) hint(r *run) string {
	if !r.stopped() {
		return ""
	}
	hint := "[The sandbox may be the cause: only " + strings.Join(s.rules.Roots(), ", ") + " can be written"
	if s.o.Sandbox == sandbox.ReadOnly {
		hint = "[The sandbox may be the cause: nothing can be written"
	}
	if !s.o.Network {
		hint += ", and there is no network"
	}
	if len(hint) > headRoom/2 {
		hint = "[The sandbox may be the cause"
	}
	if s.o.Approval == Never || s.o.Ask == nil {
		return hint + ".]"
	}
	return hint + "; unsandboxed asks the user.]"
}
