package pack

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/patch"
)

// change is what was done to a file: it was changed, moved or deleted.
type change struct {
	Path string `json:"path"`
	To   string `json:"to,omitempty"`   // where it was moved
	Gone bool   `json:"gone,omitempty"` // it was deleted
}

// String shows the change as a summary does.
func (c change) String() string {
	switch {
	case c.To != "":
		return c.Path + " to " + c.To
	case c.Gone:
		return c.Path + " (deleted)"
	}
	return c.Path
}

// patchTool is the tool whose calls say what they do to files.
const patchTool = "apply_patch"

// noteCall remembers what a patch wants to do until its output comes.
func (s *Strategy) noteCall(c longrein.ToolCall) {
	if c.Name != patchTool {
		return
	}
	var args struct {
		Patch string `json:"patch"`
	}
	if json.Unmarshal([]byte(c.Args), &args) != nil {
		return
	}
	p, err := patch.Parse(args.Patch)
	if err != nil {
		return
	}
	if s.live.patches == nil {
		s.live.patches = map[string][]change{}
	}
	most := min(len(p.Changes), s.o.Limits.Int(limit.CallFiles))
	for _, c2 := range p.Changes[:most] {
		s.live.patches[c.ID] = append(s.live.patches[c.ID], change{Path: s.file(c2.Path), To: s.file(c2.To), Gone: c2.Kind == patch.Delete})
	}
}

// noteOutput notes the files that a call has changed: those that its output
// names, or, where it names none and the call succeeded, those of the patch.
func (s *Strategy) noteOutput(out longrein.ToolOutput) {
	patched := s.live.patches[out.CallID]
	delete(s.live.patches, out.CallID)
	changes := told(out.Files, patched, s.file)
	if len(out.Files) == 0 && out.Status == longrein.OutputOK {
		changes = patched
	}
	r := s.running()
	for _, c := range changes {
		if r != nil && c.Path != "" {
			r.touches(c, s.o.Limits.Int(limit.TurnSummaryFiles))
		}
	}
}

// told returns the changes that an output tells of. That one file's end and
// another's beginning are one move, the patch knows.
func told(files []longrein.FileTouch, patched []change, name func(string) string) (all []change) {
	moved, arrived := map[string]string{}, map[string]bool{}
	for _, c := range patched {
		if c.To != "" {
			moved[c.Path], arrived[c.To] = c.To, true
		}
	}
	for _, f := range files {
		p := name(f.Path)
		if f.Op == longrein.FileRead || f.Op == longrein.FileChanged && arrived[p] {
			continue
		}
		c := change{Path: p, Gone: f.Op == longrein.FileDeleted}
		if to := moved[p]; c.Gone && to != "" {
			c = change{Path: p, To: to}
		}
		all = append(all, c)
	}
	return all
}

// fileName is as much of a path as is kept, in characters, from its end.
const fileName = 120 // fixed: the end of a path tells which it is

// file returns a path as a summary shows it: below the thread's folder relative to
// it, and "" for what is of no interest, temporary files and the worker's own
// documents.
func (s *Strategy) file(p string) string {
	if strings.TrimSpace(p) == "" {
		return ""
	}
	p = path.Clean(squeeze(p))
	if below, ok := under(p, s.state.Cwd); ok {
		p = below
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/var/folders", "/private/tmp", "/private/var/folders", s.o.Folder} {
		if _, ok := under(p, dir); ok {
			return ""
		}
	}
	return clipFront(p, fileName)
}

// under returns what follows dir in p, and whether p is below it.
func under(p, dir string) (string, bool) {
	if dir == "" {
		return "", false
	}
	return strings.CutPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}
