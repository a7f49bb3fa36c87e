package session

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/longrein/longrein"
	"github.com/tidwall/gjson"
)

// Tools that read or change the file that an argument names, in lower case, as
// the known tools call them.
var fileTools = map[string]longrein.FileOp{
	"read": longrein.FileRead, "read_file": longrein.FileRead, "readfile": longrein.FileRead, "view": longrein.FileRead,
	"write": longrein.FileChanged, "write_file": longrein.FileChanged, "create": longrein.FileChanged,
	"edit": longrein.FileChanged, "multiedit": longrein.FileChanged, "replace": longrein.FileChanged,
	"edit_file": longrein.FileChanged, "notebookedit": longrein.FileChanged, "str_replace": longrein.FileChanged,
}

var fileArgs = []string{"file_path", "path", "filePath", "absolute_path", "notebook_path"}

// touch notes which files the calls that went well read or changed, as far as
// their arguments say so.
func (s *Session) touch() {
	for _, m := range s.Moments {
		step, ok := m.What.(*Step)
		if !ok {
			continue
		}
		n := 0
		for _, it := range step.Items {
			c, ok := it.(longrein.ToolCall)
			if !ok {
				continue
			}
			if o := &step.Outputs[n]; o.Status == longrein.OutputOK {
				o.Files = s.files(c)
			}
			n++
		}
	}
}

func (s *Session) files(c longrein.ToolCall) []longrein.FileTouch {
	name := strings.ToLower(c.Name)
	if name == "apply_patch" {
		return s.patched(c.Args)
	}
	op, ok := fileTools[name]
	if !ok || !json.Valid([]byte(c.Args)) {
		return nil
	}
	args := gjson.Parse(c.Args)
	for _, arg := range fileArgs {
		if p := args.Get(arg); p.Type == gjson.String && p.Str != "" {
			return []longrein.FileTouch{{Path: s.relative(text(p)), Op: op}}
		}
	}
	return nil
}

var patchHeads = []struct {
	head string
	op   longrein.FileOp
}{
	{"*** Add File: ", longrein.FileChanged},
	{"*** Update File: ", longrein.FileChanged},
	{"*** Move to: ", longrein.FileChanged},
	{"*** Delete File: ", longrein.FileDeleted},
}

// patched reads the files of a patch from its headers.
func (s *Session) patched(args string) []longrein.FileTouch {
	if !json.Valid([]byte(args)) {
		return nil
	}
	var files []longrein.FileTouch
	for line := range strings.Lines(first(gjson.Get(args, "input"), gjson.Get(args, "patch")).Str) {
		for _, h := range patchHeads {
			if p, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), h.head); ok && p != "" {
				files = append(files, longrein.FileTouch{Path: s.relative(strings.Clone(p)), Op: h.op})
			}
		}
	}
	return files
}

// relative is a path as records name it: cleaned, and relative to the folder of
// the session where it is below that.
func (s *Session) relative(p string) string {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	cwd := path.Clean(s.Cwd)
	if below, ok := strings.CutPrefix(p, cwd+"/"); ok && path.IsAbs(cwd) {
		return below
	}
	return p
}
