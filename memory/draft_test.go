package memory_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/memory"
)

const folder = "/data/notes/t1"

// call is a call of a tool with arguments as pairs of names and values.
func call(t testing.TB, tool string, args ...any) longrein.ToolCall {
	t.Helper()
	m := map[string]any{}
	for i := 0; i < len(args); i += 2 {
		m[args[i].(string)] = args[i+1]
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return longrein.ToolCall{ID: "c1", Name: tool, Args: string(b)}
}

// edit runs a patch, without its marks.
func edit(t testing.TB, d *memory.Draft, patch string) longrein.ToolOutput {
	t.Helper()
	return d.Run(call(t, "apply_patch", "patch", "*** Begin Patch\n"+patch+"\n*** End Patch"))
}

// mustEdit is edit for a patch that is done.
func mustEdit(t testing.TB, d *memory.Draft, patch string) {
	t.Helper()
	if out := edit(t, d, patch); out.Status != longrein.OutputOK {
		t.Fatalf("%s: %s", out.Status, out.Text)
	}
}

// notes are documents from pairs of names and texts.
func notes(pairs ...string) memory.Notes {
	v := longrein.Notes{Version: 1, By: longrein.ByHarness}
	for i := 0; i < len(pairs); i += 2 {
		v.Changed = append(v.Changed, longrein.Document{Name: pairs[i], Text: pairs[i+1]})
	}
	return memory.Notes{}.With(v)
}

func draft(pairs ...string) *memory.Draft {
	return memory.NewDraft(notes(pairs...), memory.DraftOptions{Folder: folder, Known: func(seq int64) bool { return seq < 1000 }})
}

// texts are documents as a map.
func texts(docs []longrein.Document) map[string]string {
	out := map[string]string{}
	for _, d := range docs {
		out[d.Name] = d.Text
		if d.Deleted {
			out[d.Name] = "(deleted)"
		}
	}
	return out
}

func TestEditsOfDocuments(t *testing.T) {
	base := []string{"MAIN.md", "# Main\nold fact\n", "topics/build.md", "make\n"}
	tests := map[string]struct {
		patch string
		want  map[string]string
	}{
		"a line is replaced":              {"*** Update File: MAIN.md\n-old fact\n+new fact", map[string]string{"MAIN.md": "# Main\nnew fact\n"}},
		"an absolute path below":          {"*** Update File: " + folder + "/MAIN.md\n-old fact\n+new fact", map[string]string{"MAIN.md": "# Main\nnew fact\n"}},
		"a path with a dot and slashes":   {"*** Update File: ./topics//build.md\n-make\n+make all", map[string]string{"topics/build.md": "make all\n"}},
		"a document is added":             {"*** Add File: topics/api.md\n+v2", map[string]string{"topics/api.md": "v2\n"}},
		"one that exists is replaced":     {"*** Add File: MAIN.md\n+all new", map[string]string{"MAIN.md": "all new\n"}},
		"a document is deleted":           {"*** Delete File: topics/build.md", map[string]string{"topics/build.md": "(deleted)"}},
		"a document is moved":             {"*** Update File: topics/build.md\n*** Move to: build.md\n-make\n+make all", map[string]string{"build.md": "make all\n", "topics/build.md": "(deleted)"}},
		"what stays as it is, is no edit": {"*** Add File: topics/build.md\n+make", map[string]string{}},
		"several documents at once":       {"*** Add File: a.txt\n+1\n*** Delete File: topics/build.md", map[string]string{"a.txt": "1\n", "topics/build.md": "(deleted)"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := draft(base...)
			mustEdit(t, d, tt.patch)
			if diff := cmp.Diff(tt.want, texts(d.Changed())); diff != "" {
				t.Error(diff)
			}
			if err := d.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Cases 26, 27, 96 and 97: the guard is in the tools.
func TestWhatASummarizerMayNotDo(t *testing.T) {
	tests := map[string]struct {
		patch, want string
		status      longrein.OutputStatus
	}{
		"case 26: the worker's todo":              {"*** Update File: TODO.md\n-old\n+new", "TODO.md is the worker's own", longrein.OutputRefused},
		"case 26: adding it anew":                 {"*** Add File: TODO.md\n+1", "TODO.md is the worker's own", longrein.OutputRefused},
		"case 26: deleting it":                    {"*** Delete File: " + folder + "/TODO.md", "TODO.md is the worker's own", longrein.OutputRefused},
		"case 26: moving something onto it":       {"*** Update File: MAIN.md\n*** Move to: TODO.md\n-old\n+new", "TODO.md is the worker's own", longrein.OutputRefused},
		"case 26: in other capitals":              {"*** Add File: ./todo.md\n+1", "TODO.md is the worker's own", longrein.OutputRefused},
		"the harness's ledger":                    {"*** Add File: LEDGER.md\n+1", "LEDGER.md is written by the harness", longrein.OutputRefused},
		"case 97: a path with ..":                 {"*** Add File: topics/../../x.md\n+1", "has .. in it", longrein.OutputRefused},
		"case 97: .. that leads back":             {"*** Delete File: topics/../TODO.md", "has .. in it", longrein.OutputRefused},
		"an absolute path outside":                {"*** Add File: /etc/x.md\n+1", "outside of the notes folder", longrein.OutputRefused},
		"a folder whose name only begins alike":   {"*** Add File: " + folder + "2/x.md\n+1", "outside of the notes folder", longrein.OutputRefused},
		"a drive":                                 {"*** Add File: C:\\x.md\n+1", "outside of the notes folder", longrein.OutputRefused},
		"the home folder":                         {"*** Add File: ~/x.md\n+1", "is no name for a document", longrein.OutputRefused},
		"another ending":                          {"*** Add File: run.sh\n+1", "ends with .md or .txt", longrein.OutputRefused},
		"a hidden folder":                         {"*** Add File: .git/x.md\n+1", "is no name for a document", longrein.OutputRefused},
		"a document as a folder":                  {"*** Add File: MAIN.md/x.md\n+1", "is no name for a document", longrein.OutputRefused},
		"a name in other capitals":                {"*** Add File: main.md\n+1", "differs from MAIN.md only in capitals", longrein.OutputRefused},
		"a long name":                             {"*** Add File: " + strings.Repeat("a", 100) + ".md\n+1", "limit notes-name", longrein.OutputRefused},
		"a control character":                     {"*** Add File: a.md\n+\x1b[2J", "control characters", longrein.OutputRefused},
		"a document too large":                    {"*** Add File: a.md\n+" + strings.Repeat("x", 70_000), "limit notes-document of 65.5 kB", longrein.OutputRefused},
		"10 MB":                                   {"*** Add File: a.md\n+" + strings.Repeat("x", 10_000_000), "limit notes-patch of 131.1 kB", longrein.OutputRefused},
		"lines that are not there":                {"*** Update File: MAIN.md\n-nothing\n+new", "its lines are not there", longrein.OutputFailed},
		"a document that is not there":            {"*** Update File: x.md\n-1\n+2", "*** Add File: x.md begins it", longrein.OutputFailed},
		"a move onto another":                     {"*** Update File: MAIN.md\n*** Move to: a/b.md\n-old\n+new", "it exists already", longrein.OutputFailed},
		"the second of two changes that is wrong": {"*** Update File: MAIN.md\n-old\n+new\n*** Delete File: x.md", "nothing was changed", longrein.OutputFailed},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := draft("MAIN.md", "old\n", "TODO.md", "old\n", "a/b.md", "1\n")
			out := edit(t, d, tt.patch)
			if out.Status != tt.status || !strings.Contains(out.Text, tt.want) || out.CallID != "c1" {
				t.Errorf("output = %+v, want %s with %q", out, tt.status, tt.want)
			}
			if len(out.Text) > 600 {
				t.Errorf("the output has %d bytes", len(out.Text))
			}
			if diff := cmp.Diff(map[string]string{}, texts(d.Changed())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLimitsOfTheNotesAsAWhole(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n-1) }
	tests := map[string]struct{ patch, want string }{
		"many changes at once":             {strings.TrimSuffix(strings.Repeat("*** Add File: a.md\n+1\n", 3), "\n"), "the patch has 3 changes, more than the limit notes-documents of 2"},
		"one document more":                {"*** Add File: b.md\n+1", "limit notes-documents of 2"},
		"one in place of another":          {"*** Delete File: a.md\n*** Add File: b.md\n+1", ""},
		"too much together":                {"*** Add File: MAIN.md\n+" + long(2000), "limit notes-total of 4.1 kB"},
		"too much in one":                  {"*** Delete File: a.md\n*** Add File: MAIN.md\n+" + long(4097), "limit notes-document of 4.1 kB"},
		"as much as there may be":          {"*** Delete File: a.md\n*** Add File: MAIN.md\n+" + long(4096), ""},
		"a user's long document made less": {"*** Add File: a.md\n+" + long(2999), ""},
	}
	set := limit.Set{"notes-documents": 2, "notes-total": 4096, "notes-document": 4096}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := memory.NewDraft(notes("MAIN.md", "1\n", "a.md", long(3000)), memory.DraftOptions{Limits: set})
			out := edit(t, d, tt.patch)
			if ok := out.Status == longrein.OutputOK; ok != (tt.want == "") || !strings.Contains(out.Text, tt.want) {
				t.Errorf("output = %+v, want %q", out, tt.want)
			}
		})
	}
}

// Notes that are over a bound already may become smaller, and not larger.
func TestNotesThatAreTooLargeCanBeCutDown(t *testing.T) {
	set := limit.Set{"notes-documents": 2, "notes-total": 4096, "notes-document": 4096}
	lines := strings.Repeat("a line of a note\n", 400) + "end\n"
	for patch, ok := range map[string]bool{
		"*** Update File: a.md\n-end\n+e":              true,
		"*** Update File: a.md\n-end\n+longer end":     false,
		"*** Delete File: b.md":                        true,
		"*** Delete File: a.md\n*** Delete File: b.md": true,
		"*** Update File: b.md\n-1\n+12":               false,
	} {
		d := memory.NewDraft(notes("MAIN.md", "1\n", "a.md", lines, "b.md", "1\n"), memory.DraftOptions{Limits: set})
		if out := edit(t, d, patch); (out.Status == longrein.OutputOK) != ok {
			t.Errorf("%q: %s, %s", patch, out.Status, out.Text)
		}
	}
}

// Case 29, and deleting MAIN.md.
func TestADraftNeedsItsMainDocument(t *testing.T) {
	tests := map[string]struct {
		base  []string
		patch string
		want  string
	}{
		"case 29: it is emptied":         {[]string{"MAIN.md", "1\n"}, "*** Add File: MAIN.md\n+   ", "MAIN.md would be empty"},
		"it is deleted":                  {[]string{"MAIN.md", "1\n", "a.md", "1\n"}, "*** Delete File: MAIN.md", "MAIN.md would be deleted"},
		"it is moved away":               {[]string{"MAIN.md", "1\n"}, "*** Update File: MAIN.md\n*** Move to: a.md", "MAIN.md would be deleted"},
		"there is none":                  {nil, "*** Add File: a.md\n+1", "without MAIN.md"},
		"it is deleted and written anew": {[]string{"MAIN.md", "1\n"}, "*** Delete File: MAIN.md\n*** Add File: MAIN.md\n+2", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := draft(tt.base...)
			mustEdit(t, d, tt.patch)
			if err := d.Check(); tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("err = %v, want %q", err, tt.want)
			}
		})
	}
	if err := draft().Check(); err != nil {
		t.Errorf("no notes and no edits: %v", err)
	}
}

// Case 30: it is kept, and the summarizer is told at once and by its next
// instruction.
func TestMainThatIsTooLongIsKept(t *testing.T) {
	d := draft()
	out := edit(t, d, "*** Add File: MAIN.md\n+"+strings.Repeat("x", 9000))
	if out.Status != longrein.OutputOK || !strings.Contains(out.Text, "MAIN.md is 809 bytes longer than it should be") {
		t.Errorf("output = %+v", out)
	}
	if over := d.MainOver(); over != 809 || d.Check() != nil {
		t.Errorf("over = %d, %v", over, d.Check())
	}
}

// Case 25: what fails is told, and the draft goes on.
func TestOtherToolsAreRefusedWithWhatToDoInstead(t *testing.T) {
	d := draft("MAIN.md", "old\n")
	for tool, want := range map[string]string{
		"exec_command": "runs no commands", "update_plan": "the plan is the worker's", "read_output": "reads no outputs on", "make_coffee": `has no tool "make_coffee"`,
	} {
		out := d.Run(longrein.ToolCall{ID: "c1", Name: tool, Args: `{"command":"rm -rf /"}`})
		if out.Status != longrein.OutputRefused || !strings.Contains(out.Text, want) || !strings.Contains(out.Text, "apply_patch") {
			t.Errorf("%s: %+v", tool, out)
		}
	}
	for args, want := range map[string]string{
		`{"patch":1}`: `its argument "patch" cannot be a number`, `{`: "not a JSON object", `[]`: "must be a JSON object", ``: "a patch begins with the line",
	} {
		out := d.Run(longrein.ToolCall{ID: "c1", Name: "apply_patch", Args: args})
		if out.Status != longrein.OutputFailed || !strings.Contains(out.Text, want) {
			t.Errorf("%s: %+v", args, out)
		}
	}
	mustEdit(t, d, "*** Update File: MAIN.md\n-old\n+new")
}

func TestLooksAtDocuments(t *testing.T) {
	d := draft("MAIN.md", "# Main\nsee topics/build.md\n", "topics/build.md", "1\n2\n3\n4\n", "topics/empty.md", "", "TODO.md", "- [ ] x\n", "long.md", strings.Repeat("0123456789012345678901234567890123456789\n", 1000))
	tests := map[string]struct {
		tool string
		args []any
		want string
	}{
		"a document":               {"read_file", []any{"path", "MAIN.md"}, "[2 lines]\n# Main\nsee topics/build.md\n"},
		"by its absolute path":     {"read_file", []any{"path", folder + "/TODO.md"}, "[1 lines]\n- [ ] x\n"},
		"some lines":               {"read_file", []any{"path", "topics/build.md", "offset", 2, "limit", 2}, "[lines 2-3 of 4; read on with offset 4]\n2\n3\n"},
		"the last lines":           {"read_file", []any{"path", "topics/build.md", "offset", 4}, "[lines 4-4 of 4]\n4\n"},
		"lines beyond the end":     {"read_file", []any{"path", "topics/build.md", "offset", 9}, "(no line 5: the document has 4)"},
		"an empty one":             {"read_file", []any{"path", "topics/empty.md"}, "(empty document)"},
		"one that is not there":    {"read_file", []any{"path", "x.md"}, `there is no document "x.md"; there are MAIN.md, TODO.md, long.md, topics/build.md, topics/empty.md`},
		"no path":                  {"read_file", nil, `"path" must name a document; list_files shows them`},
		"case 97: outside":         {"read_file", []any{"path", "../t2/MAIN.md"}, `"../t2/MAIN.md" has .. in it; name documents from the notes folder on, such as topics/build.md`},
		"a list":                   {"list_files", nil, "MAIN.md (27 bytes)\nTODO.md (8 bytes)\nlong.md (41.0 kB)\ntopics/build.md (8 bytes)\ntopics/empty.md (0 bytes)\n"},
		"a list of a folder":       {"list_files", []any{"path", folder + "/topics/"}, "topics/build.md (8 bytes)\ntopics/empty.md (0 bytes)\n"},
		"a list by pattern":        {"list_files", []any{"path", ".", "pattern", "**/b*.md"}, "topics/build.md (8 bytes)\n"},
		"a folder that is not":     {"list_files", []any{"path", "x"}, `there is no document "x"; there are MAIN.md, TODO.md, long.md, topics/build.md, topics/empty.md`},
		"a search":                 {"search_files", []any{"pattern", "(?i)BUILD|^3$"}, "MAIN.md:2:see topics/build.md\ntopics/build.md:3:3\n"},
		"a search in one":          {"search_files", []any{"pattern", "3", "path", "topics/build.md"}, "topics/build.md:3:3\n"},
		"a search that finds none": {"search_files", []any{"pattern", "zzz", "glob", "*.md"}, "(nothing found)"},
		"no expression":            {"search_files", []any{"pattern", "("}, "error parsing regexp: missing closing ): `(`"},
		"an empty one to search":   {"search_files", nil, `"pattern" is missing`},
		"one that is slow":         {"search_files", []any{"pattern", "(.{100}){9}"}, "the pattern has 920 steps, more than the limit notes-pattern of 200; search for a shorter one"},
		"a broken glob":            {"search_files", []any{"pattern", "a", "glob", "["}, `"[" is no glob; one is *.md`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, d.Run(call(t, tt.tool, tt.args...)).Text); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, c := range []longrein.ToolCall{call(t, "read_file", "path", "long.md"), call(t, "search_files", "pattern", "0")} {
		out := d.Run(c)
		if most := (limit.Set{}).Int(limit.ToolOutput); len(out.Text) > most || len(out.Text) < most/2 {
			t.Errorf("%s: %d bytes", c.Name, len(out.Text))
		}
	}
	if len(d.Changed()) != 0 {
		t.Error("looking changed something")
	}
}
