package ledger_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// story is a log in the making.
type story struct {
	records []longrein.Record
}

func (s *story) add(b longrein.Body) *story {
	s.records = append(s.records, longrein.Record{Seq: int64(len(s.records) + 1), Body: b})
	return s
}

func (s *story) item(it longrein.Item) *story {
	return s.add(longrein.Appended{Entry: longrein.Entry{Item: it}})
}

func (s *story) user(text string) *story {
	return s.item(longrein.Message{Role: longrein.RoleUser, Text: text})
}

func (s *story) says(text string) *story {
	return s.item(longrein.Message{Role: longrein.RoleAssistant, Text: text})
}

// call adds a call with its output.
func (s *story) call(name string, args any, out longrein.ToolOutput) *story {
	text, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	out.CallID = fmt.Sprintf("c%d", len(s.records))
	s.item(longrein.ToolCall{ID: out.CallID, Name: name, Args: string(text)})
	return s.item(out)
}

// run adds a command with its exit status.
func (s *story) run(command string, exit int, text string) *story {
	status := longrein.OutputOK
	if exit != 0 {
		status = longrein.OutputFailed
	}
	return s.call("exec_command", map[string]string{"command": command},
		longrein.ToolOutput{Text: text, Status: status, Exit: &exit})
}

func (s *story) touch(op longrein.FileOp, path string) *story {
	name, args := "apply_patch", map[string]string{"patch": "*** Begin Patch\n*** Update File: " + path + "\n+x\n*** End Patch"}
	if op == longrein.FileRead {
		name, args = "read_file", map[string]string{"path": path}
	}
	return s.call(name, args, longrein.ToolOutput{
		Text: "ok", Status: longrein.OutputOK, Files: []longrein.FileTouch{{Path: path, Op: op, Hash: strings.Repeat("0123456789abcdef", 4)}},
	})
}

func fold(records []longrein.Record, set limit.Set) *ledger.Ledger {
	l := new(ledger.Ledger)
	for _, r := range records {
		l.Note(r, set)
	}
	return l
}

// work is a long thread: steps of reading, changing, running and saying.
func work(steps, size int) []longrein.Record {
	s := &story{}
	s.add(longrein.Thread{ID: "t", Cwd: "/work"})
	s.user("Make the build green. Never change the files in vendor/. Keep each commit below 200 lines.")
	for i := range steps {
		name := fmt.Sprintf("pkg%d/file%d.go", i%40, i%300)
		s.touch(longrein.FileRead, name)
		s.touch(longrein.FileChanged, name)
		s.run(fmt.Sprintf("go test ./pkg%d -run Test%d", i%40, i%200), i%3&1, output(i, size))
		s.says(fmt.Sprintf("The server of case %d listens on port %d now.", i, 20000+i%977))
	}
	return s.records
}

func output(i, size int) string {
	var b strings.Builder
	for n := 0; b.Len() < size; n++ {
		fmt.Fprintf(&b, "pkg/file.go:%d: case %s took 0.%03d s, port=%d, id job_%d, see https://ci.example.test/run/%d\n",
			n, []string{"alpha", "beta", "gamma"}[n%3], n*7%1000, 20000+(i+n)%977, i*31+n, i)
	}
	return b.String()[:size]
}
