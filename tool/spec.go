package tool

import (
	"encoding/json"

	"github.com/longrein/longrein"
)

// What the model is told. Every request carries it, so each sentence says
// something that models get wrong without it; a test bounds the whole. The
// schemas are written out because their bytes must never change by themselves.

func spec(name, text, properties string) longrein.ToolSpec {
	return longrein.ToolSpec{
		Name: name, Description: text,
		Schema: json.RawMessage(`{"type":"object","properties":{` + properties + `,"additionalProperties":false}`),
	}
}

func reading(s longrein.ToolSpec) longrein.ToolSpec {
	s.Parallel, s.ReadOnly = true, true
	return s
}

var execSpec = spec("exec_command",
	"Run a shell command to its end; background processes are ended with it. "+
		"stdin is empty. Long output is cut in the middle; read_output gives the rest.",
	`"command":{"type":"string"},`+
		`"workdir":{"type":"string","description":"Default: the working folder"},`+
		`"timeout_ms":{"type":"integer"},`+
		`"unsandboxed":{"type":"boolean","description":"Ask the user to run it outside the sandbox, when it needs network or writes elsewhere"},`+
		`"justification":{"type":"string","description":"For the user: why unsandboxed"}`+
		`},"required":["command"]`)

var readSpec = reading(spec("read_file",
	"Read lines of a text file.",
	`"path":{"type":"string"},`+
		`"offset":{"type":"integer","description":"First line, from 1"},`+
		`"limit":{"type":"integer","description":"Number of lines"}`+
		`},"required":["path"]`))

var listSpec = reading(spec("list_files",
	"List files that git does not ignore.",
	`"path":{"type":"string"},`+
		`"pattern":{"type":"string","description":"Glob, such as *.go or src/**/*.ts"},`+
		`"depth":{"type":"integer","description":"Levels to show; deeper files are counted"}`+
		`}`))

var searchSpec = reading(spec("search_files",
	"Search files that git does not ignore for lines matching a regular expression. Gives path:line:text.",
	`"pattern":{"type":"string"},`+
		`"path":{"type":"string"},`+
		`"glob":{"type":"string","description":"Only files like this, such as *.go"}`+
		`},"required":["pattern"]`))

var patchSpec = spec("apply_patch",
	"Change files, all or none. Form:\n"+
		"*** Begin Patch\n"+
		"*** Update File: path\n"+
		"*** Move to: new path (optional)\n"+
		"@@ line above the change (needed only if the lines below are not unique)\n"+
		" kept line\n"+
		"-old line\n"+
		"+new line\n"+
		"*** Add File: path\n"+
		"+line\n"+
		"*** Delete File: path\n"+
		"*** End Patch\n"+
		"Give about 3 kept lines before and after; several @@ sections go from top to bottom.",
	`"patch":{"type":"string"}},"required":["patch"]`)

var planSpec = reading(spec("update_plan",
	"Show the user your plan for a task of several steps; send all steps each time.",
	`"plan":{"type":"array","items":{"type":"object","properties":{`+
		`"step":{"type":"string"},`+
		`"status":{"type":"string","enum":["pending","in_progress","completed"]}`+
		`},"required":["step","status"],"additionalProperties":false}},`+
		`"note":{"type":"string"}`+
		`},"required":["plan"]`))

var restSpec = reading(spec("read_output",
	"Read on in an output that was cut.",
	`"id":{"type":"string","description":"As the cut output gives it"},`+
		`"offset":{"type":"integer","description":"First byte, from 0"},`+
		`"limit":{"type":"integer","description":"Number of bytes"}`+
		`},"required":["id"]`))

// Examples of arguments, shown when a call has wrong ones.
const (
	execExample   = `{"command":"go test ./...","timeout_ms":60000}`
	readExample   = `{"path":"main.go","offset":1,"limit":100}`
	listExample   = `{"path":"src","pattern":"*.go"}`
	searchExample = `{"pattern":"func main","glob":"*.go"}`
	patchExample  = `{"patch":"*** Begin Patch\n*** Update File: a.txt\n-old line\n+new line\n*** End Patch"}`
	planExample   = `{"plan":[{"step":"find the cause","status":"in_progress"}]}`
	restExample   = `{"id":"<64 hexadecimal digits>","offset":0}`
)
