package tool

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/tool/sandbox"
)

func TestBuiltinPolicies(t *testing.T) {
	held, beyond := Action{Held: true}, Action{Why: "why"}
	reading, retry := Action{Held: true, ReadOnly: true}, Action{Retry: true, Why: "why"}
	tests := map[Approval][]Decision{
		//            held     beyond    reading  retry
		Never:     {Allow{}, Refuse{"why"}, Allow{}, Refuse{"it ran in the sandbox"}},
		OnRequest: {Allow{}, Ask{"why"}, Allow{}, Refuse{"it ran in the sandbox"}},
		"":        {Allow{}, Ask{"why"}, Allow{}, Refuse{"it ran in the sandbox"}},
		OnFailure: {Allow{}, Ask{"why"}, Allow{}, Ask{"why"}},
		Untrusted: {Ask{"it is not known to be read-only"}, Ask{"why"}, Allow{}, Refuse{"it ran in the sandbox"}},
	}
	for p, want := range tests {
		got := []Decision{p.Decide(held), p.Decide(beyond), p.Decide(reading), p.Decide(retry)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", p, diff)
		}
	}
}

// asker answers and keeps the questions.
type asker struct {
	answer longrein.Approval
	asked  []longrein.Approval
}

func (a *asker) ask(_ context.Context, q longrein.Approval) longrein.Approval {
	a.asked = append(a.asked, q)
	return a.answer
}

var (
	yes = longrein.Approval{State: longrein.ApprovalAllowed}
	no  = longrein.Approval{State: longrein.ApprovalRefused, Note: "not today"}
)

func TestApprovalOfCommands(t *testing.T) {
	outside := folder(t)
	write(t, outside+"/file", "old\n")
	leave := m{"command": "echo new > " + outside + "/file", "unsandboxed": true, "justification": "it is needed"}
	stay := m{"command": "echo new > " + outside + "/file"}
	tests := map[string]struct {
		approval Approval
		answer   *longrein.Approval
		args     m
		status   longrein.OutputStatus
		text     string
		asked    int
	}{
		"on request a yes lets it leave":       {OnRequest, &yes, leave, longrein.OutputOK, "exit code 0", 1},
		"on request a no does not":             {OnRequest, &no, leave, longrein.OutputRefused, "refused by the user: not today", 1},
		"on request nothing else is asked":     {OnRequest, &yes, stay, longrein.OutputFailed, "; unsandboxed asks the user.]", 0},
		"on request with nobody to ask":        {OnRequest, nil, leave, longrein.OutputRefused, "there is nobody to ask. The user can allow", 0},
		"never asks":                           {Never, &yes, leave, longrein.OutputRefused, "it would run outside the sandbox: it is needed", 0},
		"on failure it is asked to run again":  {OnFailure, &yes, stay, longrein.OutputOK, "exit code 0", 1},
		"on failure a no leaves the failure":   {OnFailure, &no, stay, longrein.OutputFailed, "ead-only", 1},
		"on failure with nobody to ask":        {OnFailure, nil, stay, longrein.OutputFailed, "ead-only", 0},
		"untrusted asks":                       {Untrusted, &no, m{"command": "touch x"}, longrein.OutputRefused, "not today", 1},
		"untrusted lets known commands read":   {Untrusted, &no, m{"command": "ls | wc -l"}, longrein.OutputOK, "exit code 0", 0},
		"untrusted runs in the sandbox anyway": {Untrusted, &yes, stay, longrein.OutputFailed, "ead-only", 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			write(t, outside+"/file", "old\n")
			o := Options{Approval: tt.approval}
			a := &asker{}
			if tt.answer != nil {
				a.answer, o.Ask = *tt.answer, a.ask
			}
			s := sandboxed(t, o, sandbox.Bubblewrap)
			want(t, do(t, s, "exec_command", tt.args), tt.status, tt.text)
			if len(a.asked) != tt.asked {
				t.Errorf("asked %+v", a.asked)
			}
			b, _ := os.ReadFile(outside + "/file")
			if changed := string(b) == "new\n"; changed != (tt.status == longrein.OutputOK && strings.Contains(tt.args["command"].(string), "new")) {
				t.Errorf("the file outside holds %q", b)
			}
		})
	}
}

func TestAnApprovalSaysWhatAndWhy(t *testing.T) {
	a := &asker{answer: no}
	s := sandboxed(t, Options{Ask: a.ask}, sandbox.Bubblewrap)
	do(t, s, "exec_command", m{"command": "make install", "workdir": "/", "unsandboxed": true, "justification": "it writes to /usr"})
	want := []longrein.Approval{{
		CallID: "c1", Tool: "exec_command", Action: "make install\n(in /)",
		Reason: "it would run outside the sandbox: it writes to /usr", State: longrein.ApprovalAsked,
	}}
	if diff := cmp.Diff(want, a.asked); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutASandboxEveryCommandIsAskedFor(t *testing.T) {
	for _, approval := range []Approval{OnRequest, OnFailure, Untrusted} {
		a := &asker{answer: yes}
		s := sandboxed(t, Options{Ask: a.ask, Approval: approval}, sandbox.None)
		want(t, do(t, s, "exec_command", m{"command": "ls"}), longrein.OutputOK, "exit code 0")
		if len(a.asked) != 1 || !strings.HasPrefix(a.asked[0].Reason, "no sandbox works here") {
			t.Errorf("%s: asked %+v", approval, a.asked)
		}
	}
	s := sandboxed(t, Options{Approval: Never}, sandbox.None)
	want(t, do(t, s, "exec_command", m{"command": "ls"}), longrein.OutputRefused, "no sandbox works here")
}

func TestPatchesObeyTheSameRules(t *testing.T) {
	outside, home := folder(t), ""
	write(t, outside+"/file", "old\n")
	dir := folder(t)
	home = dir + "/home"
	write(t, dir+"/.git/config", "old\n")
	write(t, home+"/log", "old\n")
	write(t, dir+"/a", "old\n")
	if err := os.Symlink(outside, dir+"/link"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".git", dir+"/inner"); err != nil {
		t.Fatal(err)
	}
	update := func(path string) m {
		return m{"patch": "*** Begin Patch\n*** Update File: " + path + "\n-old\n+new\n*** End Patch"}
	}
	s := sandboxed(t, Options{Cwd: dir, Home: home, Protected: []string{dir + "/new/config"}, Approval: Never}, sandbox.None)
	for path, why := range map[string]string{
		outside + "/file": "outside the writable folders", "link/file": "(really " + outside + "/file) is outside",
		".git/config": ".git/config is protected", ".GIT/config": "is protected", "inner/config": "is protected", "home/log": "is protected",
		"new/config/config.toml": "is protected",
		"../x":                   "outside the writable folders",
	} {
		want(t, do(t, s, "apply_patch", update(path)), longrein.OutputRefused, why)
	}
	want(t, do(t, s, "apply_patch", update("a")), longrein.OutputOK, "M a (+1 -1)")

	a := &asker{answer: yes}
	s = sandboxed(t, Options{Cwd: dir, Home: home, Ask: a.ask}, sandbox.None)
	want(t, do(t, s, "apply_patch", update(outside+"/file")), longrein.OutputOK, "M "+outside+"/file")
	if len(a.asked) != 1 || a.asked[0].Action != "change "+outside+"/file" {
		t.Errorf("asked %+v", a.asked)
	}
	s = set(t, Options{Cwd: dir, Sandbox: sandbox.ReadOnly})
	want(t, do(t, s, "apply_patch", update("a")), longrein.OutputRefused, "outside the writable folders")
}

func TestAnInterruptWhileAskingIsOne(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	ask := func(ctx context.Context, a longrein.Approval) longrein.Approval {
		stop()
		<-ctx.Done()
		return a
	}
	s := sandboxed(t, Options{Ask: ask}, sandbox.None)
	want(t, s.Run(ctx, call("exec_command", m{"command": "ls"})), longrein.OutputInterrupted, "it did not run")
}
