package ledger

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Tools whose arguments the ledger understands.
const (
	execTool  = "exec_command"
	command   = "" // how the ledger names the tool execTool
	readTool  = "read_file"
	patchTool = "apply_patch"
	planTool  = "update_plan"
)

// arguments are what the ledger reads of a call's arguments.
type arguments struct {
	Command string     `json:"command"`
	Path    string     `json:"path"`
	Patch   string     `json:"patch"`
	Plan    []planStep `json:"plan"`
}

// pending is a call that waits for its output.
type pending struct {
	ID   string `json:"id"`
	Tool string `json:"t,omitempty"` // see [attempt]
	What string `json:"w,omitempty"`
	Rest string `json:"x,omitempty"`
	// Touches are what its arguments say that it does to files.
	Touches []longrein.FileTouch `json:"touches,omitempty"`
}

func (p pending) key() string { return p.ID }

// call remembers a call until its output comes. What it wants is what an error
// is about: the command, the file, or all arguments of a tool that is not known.
func (n noting) call(c longrein.ToolCall) {
	var a arguments
	if json.Unmarshal([]byte(c.Args), &a) != nil && !json.Valid([]byte(c.Args)) {
		return // it will not run
	}
	p := pending{ID: n.id(c.ID), Tool: n.line(c.Name)}
	switch c.Name {
	case execTool:
		p.Tool = command
		p.What, p.Rest = n.what(a.Command)
	case readTool:
		p.Touches = n.touches(longrein.FileRead, a.Path)
	case patchTool:
		p.Touches = n.patched(a.Patch)
	case planTool:
		n.plan(a.Plan)
	default:
		p.What, p.Rest = n.what(c.Args)
	}
	n.usedBy(c, a)
	n.Calls.put(p)
	if n.Calls.Len() > n.set.Int(limit.Calls) {
		n.Calls.take(n.Calls.oldest().ID) // nothing will answer it
	}
}

// id is a call's, as JSON can hold it.
func (n noting) id(s string) string { return clip(s, n.most()) }

// what returns the first line of a text, cut to the size of a line, and a hash of
// the whole text where that is more. Spaces do not count.
func (n noting) what(text string) (line, rest string) {
	text = strings.TrimSpace(text)
	first, more, _ := strings.Cut(text, "\n")
	first = squeeze(first)
	line = strings.TrimSpace(clip(first, n.most()))
	if line == first && strings.TrimSpace(more) == "" {
		return line, ""
	}
	h := fnv.New64a()
	for field := range strings.FieldsSeq(text) {
		h.Write([]byte(field))
		h.Write([]byte{' '})
	}
	return line, strconv.FormatUint(h.Sum64(), 36)
}

func (n noting) touches(op longrein.FileOp, path string) []longrein.FileTouch {
	if strings.TrimSpace(path) == "" {
		return nil
	}
	return []longrein.FileTouch{{Path: n.name(path), Op: op}}
}

// patchLines are those of a patch that name a file.
var patchLines = []struct {
	start string
	op    longrein.FileOp
}{
	{"*** Update File: ", longrein.FileChanged},
	{"*** Add File: ", longrein.FileChanged},
	{"*** Move to: ", longrein.FileChanged},
	{"*** Delete File: ", longrein.FileDeleted},
}

// patched returns what a patch does to files. A file that is moved counts as
// deleted.
func (n noting) patched(patch string) (all []longrein.FileTouch) {
	most := n.set.Int(limit.CallFiles)
	for line := range strings.Lines(patch) {
		for _, p := range patchLines {
			path, ok := strings.CutPrefix(line, p.start)
			if !ok || len(all) >= most {
				continue
			}
			if p.start == "*** Move to: " && len(all) > 0 {
				all[len(all)-1].Op = longrein.FileDeleted
			}
			all = append(all, n.touches(p.op, strings.TrimSpace(path))...)
		}
	}
	return all
}

// output notes what a call came to.
func (n noting) output(out longrein.ToolOutput) {
	p, ok := n.Calls.take(n.id(out.CallID))
	if ok {
		n.ended(p, out)
	}
	files := out.Files
	if len(files) == 0 && out.Status == longrein.OutputOK {
		files = p.Touches
	}
	for _, t := range files[:min(len(files), n.set.Int(limit.CallFiles))] {
		n.touch(t)
	}
	n.seen(out.Text)
}

// ended notes how a call ended that ran.
func (n noting) ended(p pending, out longrein.ToolOutput) {
	switch {
	case out.Status == longrein.OutputOK, p.Tool == command && answered(p.What, out.Exit):
		n.succeeded(p, out.Exit)
	case out.Status == longrein.OutputFailed, out.Status == longrein.OutputUnknown:
		n.failed(p, out)
	}
}
