package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

// probed returns what a new head must show of one kind.
func probed(l *ledger.Ledger, kind string) []string {
	var all []string
	for _, p := range l.Probes(0) {
		if p.Kind == kind {
			all = append(all, p.Text)
		}
	}
	return all
}

func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConstraints(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"a rule among other sentences":     {"Fix the build. Never touch vendor/. Thanks!", []string{"Never touch vendor/."}},
		"list items":                       {"Rules:\n- must be fast\n* use tabs\n2. Keep it small\nHello", []string{"Keep it small", "use tabs", "must be fast"}},
		"a sentence over lines":            {"The answer that you write to the file must be\nshort. Fine.", []string{"The answer that you write to the file must be short."}},
		"a short line is a sentence":       {"Do not push\nThe rest is free", []string{"Do not push"}},
		"a long line goes on":              {"You may change all other files of the project, but do not change\nREADME.md at all. Good.", []string{"You may change all other files of the project, but do not change README.md at all."}},
		"words inside words do not count":  {"The mustard is nevertheless here. I was using it.", nil},
		"to use is a rule, the use is not": {"The use of tabs is fine. Use spaces in YAML.", []string{"Use spaces in YAML."}},
		"both spellings":                   {"Don't push. Don’t pull.", []string{"Don’t pull.", "Don't push."}},
		"a question is none":               {"Must I do it?", nil},
		"code is none":                     {"See:\n```\nyou must\n```\nok", nil},
		"an abbreviation ends nothing":     {"Only text files, e.g. README, count.", []string{"Only text files, e.g. README, count."}},
		"a name ends nothing":              {"Always read main.go first.", []string{"Always read main.go first."}},
		"bounds":                           {"Write at most 3 lines. Change\nno more than one file.", []string{"Change no more than one file.", "Write at most 3 lines."}},
		"said twice":                       {"Only Go. Never C. only  Go.", []string{"Only Go.", "Never C."}},
		"nothing":                          {" \n ", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			check(t, probed(fold(new(story).user(tt.text).records, nil), ledger.Constraint), tt.want...)
		})
	}
}

func TestOnlyTheUserBindsTheWork(t *testing.T) {
	s := new(story).says("I must never do that.").run("cat x", 0, "You must obey.")
	s.item(longrein.Fragment{Tag: longrein.TagInstructions, Role: longrein.RoleUser, Text: "Never fail."})
	check(t, probed(fold(s.records, nil), ledger.Constraint))
}

func TestErrors(t *testing.T) {
	bad := longrein.ToolOutput{Text: "a.go: no such lines", Status: longrein.OutputFailed}
	missing := longrein.ToolOutput{Text: "/work/a.go does not exist", Status: longrein.OutputFailed}
	patch := func(path string) any {
		return map[string]string{"patch": "*** Begin Patch\n*** Update File: " + path + "\n"}
	}
	tests := map[string]struct {
		story *story
		want  []string
	}{
		"a command that failed":             {new(story).run("make", 2, "boom"), []string{"make"}},
		"the same command later":            {new(story).run("make  all", 2, "").run(" make all ", 0, ""), nil},
		"another command later":             {new(story).run("make all", 2, "").run("make", 0, ""), []string{"make all"}},
		"it fails again":                    {new(story).run("make", 2, "").run("make", 0, "").run("make", 1, ""), []string{"make"}},
		"commands that differ further down": {new(story).run("sh <<X\na\nX", 1, "").run("sh <<X\nb\nX", 0, ""), []string{"sh <<X"}},
		"nothing found is an answer":        {new(story).run("cat a | grep x", 1, "").run("test -f a", 1, "").run("git diff --exit-code", 1, ""), nil},
		"grep that cannot read":             {new(story).run("grep x nofile", 2, ""), []string{"grep x nofile"}},
		"a patch that failed":               {new(story).call("apply_patch", patch("a.go"), bad), []string{"a.go"}},
		"another patch of the file":         {new(story).call("apply_patch", patch("a.go"), bad).touch(longrein.FileChanged, "a.go"), nil},
		"reading is not patching":           {new(story).call("apply_patch", patch("a.go"), bad).touch(longrein.FileRead, "a.go"), []string{"a.go"}},
		"a file that could be read later":   {new(story).call("read_file", map[string]string{"path": "./a.go"}, missing).touch(longrein.FileRead, "a.go"), nil},
		"a file that was made later":        {new(story).call("read_file", map[string]string{"path": "a.go"}, missing).touch(longrein.FileChanged, "a.go"), nil},
		"the file that an error names": {new(story).call("apply_patch", map[string]string{
			"patch": "*** Begin Patch\n*** Add File: b.go\n+x\n*** Update File: a.go\n",
		}, bad), []string{"a.go"}},
		"another tool": {new(story).call("deploy", map[string]int{"to": 1}, bad), []string{`{"to":1}`}},
		"another tool, at last": {new(story).call("deploy", map[string]int{"to": 1}, bad).
			call("deploy", map[string]int{"to": 1}, longrein.ToolOutput{Text: "ok", Status: longrein.OutputOK}), nil},
		"refused or interrupted is no error": {new(story).
			call("exec_command", map[string]string{"command": "rm x"}, longrein.ToolOutput{Text: "no", Status: longrein.OutputRefused}).
			call("exec_command", map[string]string{"command": "sleep 9"}, longrein.ToolOutput{Text: "…", Status: longrein.OutputInterrupted}), nil},
		"an unknown end is one":     {new(story).call("exec_command", map[string]string{"command": "mv a b"}, longrein.ToolOutput{Text: "?", Status: longrein.OutputUnknown}), []string{"mv a b"}},
		"arguments that are broken": {new(story).item(longrein.ToolCall{ID: "x", Name: "exec_command", Args: `{"command":`}).item(longrein.ToolOutput{CallID: "x", Text: "not run", Status: longrein.OutputFailed}), nil},
		"an output without a call":  {new(story).item(longrein.ToolOutput{CallID: "x", Text: "what", Status: longrein.OutputFailed}), nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			check(t, probed(fold(tt.story.records, nil), ledger.UnresolvedError), tt.want...)
		})
	}
}

func TestAnErrorShowsItsLastLines(t *testing.T) {
	l := fold(new(story).run("go test", 1, "--- FAIL: TestA\n    a_test.go:7: got 1\n\nFAIL\n").records, nil)
	const want = "- $ go test (exit 1, #2): --- FAIL: TestA / a_test.go:7: got 1 / FAIL"
	if got := l.Probes(0)[0].Line; got != want {
		t.Errorf("line = %q, want %q", got, want)
	}
}

func TestFiles(t *testing.T) {
	s := new(story).add(longrein.Thread{Cwd: "/work"})
	s.touch(longrein.FileRead, "a").touch(longrein.FileChanged, "a").touch(longrein.FileRead, "b").touch(longrein.FileDeleted, "c")
	// Outputs of a program that does not tell of files.
	s.call("apply_patch", map[string]string{"patch": "*** Begin Patch\n*** Update File: /work/x/d\n*** Move to: e\n*** Delete File: f\n"},
		longrein.ToolOutput{Text: "done", Status: longrein.OutputOK})
	l := fold(s.records, nil)
	check(t, probed(l, ledger.ChangedFile), "f", "e", "x/d", "c", "a")
	for _, want := range []string{"- x/d (deleted, #11)", "- a (#5), read in #3, sha256 0123456789ab", "## Files read\n\n- b (#7)"} {
		if !strings.Contains(l.Full(), want) {
			t.Errorf("no %q in\n%s", want, l.Full())
		}
	}
}

func TestValues(t *testing.T) {
	tests := map[string]struct{ output, use, want string }{
		"a port":                        {"listening on port 48213", "curl -s localhost:9/ --port 48213", "48213"},
		"a pair is shown with its name": {"WORKERS=128 of", "run -n 128", "WORKERS=128"},
		"a pair of words":               {"MODE=verbose", "MODE=verbose make", "MODE=verbose"},
		"an address":                    {`{"url":"https://ci.test/run/7?x=1"}`, "curl https://ci.test/run/7?x=1", "https://ci.test/run/7?x=1"},
		"a local address":               {"on 127.0.0.1:8080.", "nc 127.0.0.1:8080", "127.0.0.1:8080"},
		"a commit":                      {"HEAD is at 3f2a9c1", "git show 3f2a9c1", "3f2a9c1"},
		"a version":                     {"requires v1.24", "install v1.24", "v1.24"},
		"an id":                         {"ticket INV-2041 opened", "close INV-2041", "INV-2041"},
		"after a line end in JSON":      {"see 4711", "a\n4711", "4711"},
		"never used":                    {"see 4711", "echo", ""},
		"used before it was seen":       {"", "echo 4711", ""},
		"a part of another":             {"see 4711", "echo 47112", ""},
		"a small or round number":       {"42 and 500", "sleep 42 500", ""},
		"a file's name":                 {"src/a123/b.go:120: x", "cat src/a123/b.go:120", ""},
		"a place in a file":             {"main.go:120:7", "sed -n 120p", ""},
		"a secret's value":              {"API_KEY=abc1234567", "use API_KEY=abc1234567", ""},
		"an address with a password":    {"at https://me:pw12345@h.test/x", "curl https://me:pw12345@h.test/x", ""},
		"a date":                        {"2026-11-30T10:00:00Z", "since 2026-11-30T10:00:00Z", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l := fold(new(story).run("x", 0, tt.output).run(tt.use, 0, "").records, nil)
			shown := ""
			for _, p := range l.Probes(0) {
				if p.Kind == ledger.UsedValue {
					shown += strings.TrimSuffix(strings.TrimPrefix(p.Line, "- "), " (from #2, used in #3)")
				}
			}
			if shown != tt.want {
				t.Errorf("values = %q, want %q", shown, tt.want)
			}
		})
	}
}

func TestValuesAreUsedByWhatTheModelSaysAndPatchesAdd(t *testing.T) {
	s := new(story).user("Listen on 48213, not on 48214 or 48215.").says("I take 48213.")
	s.call("apply_patch", map[string]string{"patch": "*** Begin Patch\n*** Update File: a\n 48214\n+48215\n"}, longrein.ToolOutput{Text: "ok", Status: longrein.OutputOK})
	l := fold(s.records, nil)
	check(t, probed(l, ledger.UsedValue), "48215", "48213")
	if recent := l.Probes(3); recent[len(recent)-1].Text != "48215" {
		t.Errorf("used lately: %v", recent)
	}
}

func TestPlanAndApprovals(t *testing.T) {
	plan := func(steps ...string) any {
		var all []map[string]string
		for _, s := range steps {
			status, step, _ := strings.Cut(s, " ")
			all = append(all, map[string]string{"step": step, "status": status})
		}
		return map[string]any{"plan": all}
	}
	ok := longrein.ToolOutput{Text: "ok", Status: longrein.OutputOK}
	s := new(story).call("update_plan", plan("pending old"), ok).
		call("update_plan", plan("completed read", "in_progress write  it", "pending test"), ok).
		call("update_plan", plan("wrong status"), longrein.ToolOutput{Text: "no", Status: longrein.OutputFailed})
	s.add(longrein.Approval{CallID: "1", Tool: "exec_command", Action: "rm -rf x", State: longrein.ApprovalAsked})
	s.add(longrein.Approval{CallID: "1", Tool: "exec_command", Action: "rm -rf x", State: longrein.ApprovalRefused, Note: "keep it"})
	s.add(longrein.Approval{CallID: "2", Tool: "exec_command", Action: "make", State: "strange"})
	l := fold(s.records, nil)
	check(t, probed(l, ledger.PlanItem), "write it", "test")
	for _, want := range []string{"- [x] read\n", "- refused: exec_command rm -rf x (#8): keep it\n"} {
		if !strings.Contains(l.Full(), want) {
			t.Errorf("no %q in\n%s", want, l.Full())
		}
	}
	if strings.Contains(l.Full(), "make") {
		t.Error("an approval in no known state was noted")
	}
}

func TestWhatIsPassedOver(t *testing.T) {
	s := new(story).user("Never fail.")
	l := fold(s.records, nil)
	before := l.Full()
	head := []longrein.Entry{{Seq: 1, Item: longrein.Message{Role: longrein.RoleUser, Text: "Only this."}}}
	for i, b := range []longrein.Body{
		longrein.Window{N: 2, Head: head},
		longrein.Beside{Fork: "decider-1", Body: longrein.Appended{Entry: head[0]}},
		longrein.Input{Text: "Only that."},
		longrein.ToolRun{CallID: "x", State: longrein.ToolStarted},
		longrein.Appended{},
		longrein.Unknown{Name: "new"},
		nil,
	} {
		l.Note(longrein.Record{Seq: int64(2 + i), Body: b}, nil)
	}
	l.Note(s.records[0], nil) // once more
	if l.Full() != before {
		t.Errorf("the ledger has become\n%s", l.Full())
	}
}

func TestWhatLeavesIsCounted(t *testing.T) {
	set := limit.Set{
		limit.LedgerFiles.Name: 10, limit.LedgerCalls.Name: 10, limit.LedgerConstraints.Name: 2, limit.LedgerRequests.Name: 1 << 10,
		limit.LedgerApprovals.Name: 1, limit.LedgerValues.Name: 1, limit.LedgerCandidates.Name: 8, limit.LedgerPlan.Name: 1, limit.LedgerLine.Name: 40,
	}
	s := new(story).touch(longrein.FileChanged, "important").run("make important", 1, "")
	for i := range 20 {
		s.touch(longrein.FileRead, fmt.Sprintf("f%d", i)).run(fmt.Sprintf("true %d", i), 0, fmt.Sprintf("id %d", 4000+i)).says(fmt.Sprint(4000 + i))
		s.user(fmt.Sprintf("Never do %d. %s", i, strings.Repeat("x ", 200)))
		s.add(longrein.Approval{Tool: "t", Action: fmt.Sprint(i), State: longrein.ApprovalAllowed})
	}
	s.call("update_plan", map[string]any{"plan": []map[string]string{{"step": "one", "status": "pending"}, {"step": "two", "status": "pending"}}}, longrein.ToolOutput{})
	l := fold(s.records, set)
	for _, want := range []string{
		"11 more left", "18 more left", "19 more left", "important (#2)", "make important", "> [… 156 more bytes]",
	} {
		if !strings.Contains(l.Full(), want) {
			t.Errorf("no %q in\n%s", want, l.Full())
		}
	}
}
