package tool

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/patch"
	"github.com/longrein/longrein/tool/file"
	"github.com/longrein/longrein/tool/sandbox"
)

func (s *Set) patch(a *args) job {
	text := a.need("patch")
	return job{false, func(ctx context.Context, call longrein.ToolCall) longrein.ToolResult {
		p, err := patch.Parse(text)
		if err != nil {
			return failed(call, "%s", err)
		}
		if s.overwrites(text) {
			return failed(call, "nothing was changed: the patch adds a line with a placeholder such as [redacted:…], which stands for a secret that you do not know; it would take the secret's place. Leave that line out of the patch, as it is, or change the file with a command that reads the secret where it is")
		}
		paths, todo, err := s.notTodo(p.Paths())
		if err != nil {
			return *refused(call, "%s: %s", refusedWord, err)
		}
		action := s.patchAction(paths)
		if len(paths) > 0 {
			if no := s.allowed(ctx, call, action); no != nil {
				return *no
			}
		}
		place := file.Place{Dir: s.o.Cwd, Roots: s.rules.Roots(), Files: todo, Most: s.o.Limits.Of(limit.FileRead)}
		if !action.Held || s.rules.Mode == sandbox.Full {
			place.Roots = []string{filepath.VolumeName(s.o.Cwd) + string(filepath.Separator)}
		}
		done, err := file.Apply(p, place)
		if err != nil {
			return failed(call, "%s", err)
		}
		res := result(call, longrein.OutputOK, listed(done))
		s.patched(p, &res)
		return res
	}}
}

// overwrites reports whether a patch adds a line in which a placeholder stands for a
// secret.
func (s *Set) overwrites(text string) bool {
	if s.o.Redact == nil || !s.o.Redact.Holds(text) {
		return false
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "+") && s.o.Redact.Holds(line) {
			return true
		}
	}
	return false
}

// patched tells what became of the files that a patch names.
func (s *Set) patched(p patch.Patch, res *longrein.ToolResult) {
	t := s.touches()
	for _, name := range p.Paths() {
		if path := s.path(name); file.Regular(path) {
			t.changed(path)
		} else {
			t.add(path, longrein.FileDeleted, "")
		}
	}
	t.into(res)
}

// patchAction describes a patch of paths to the policy. It is held when the rules
// let all of them be written.
func (s *Set) patchAction(paths []string) Action {
	var beyond []error
	for _, path := range paths {
		if err := s.rules.Check(s.path(path)); err != nil {
			beyond = append(beyond, err)
		}
	}
	a := Action{Tool: patchSpec.Name, Text: "change " + strings.Join(paths, ", "), Held: len(beyond) == 0}
	if !a.Held {
		a.Why = strings.ReplaceAll(errors.Join(beyond...).Error(), "\n", "; ")
	}
	return a
}

func listed(done []file.Done) string {
	var b strings.Builder
	for _, d := range done {
		b.WriteString(string(d) + "\n")
	}
	return strings.ToValidUTF8(b.String(), "\ufffd")
}
