package skill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/longrein/longrein/limit"
)

// ErrName is in the error of [Create] for a name that a skill cannot have.
var ErrName = errors.New("a skill cannot be called")

// Create makes a new skill in a folder for skills and returns the path of its
// SKILL.md, in which a person has to fill in what the skill does. Nothing that is
// there is overwritten.
func Create(folder, name string, limits limit.Set) (string, error) {
	if valid := slug(name, limits.Int(limit.SkillName)); valid != name || name == "" {
		hint := ""
		if valid != "" {
			hint = fmt.Sprintf("; %s would do", valid)
		}
		return "", fmt.Errorf("%w %q: a name has a to z, 0 to 9 and single hyphens between them, %d characters at most%s", ErrName, name, limits.Int(limit.SkillName), hint)
	}
	path := filepath.Join(folder, name, FileName)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of the skill: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("there is a skill at %s already; edit it, or take another name", path)
	}
	if err != nil {
		return "", fmt.Errorf("make the skill: %w", err)
	}
	_, err = fmt.Fprintf(f, template, name)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("write the skill: %w", err)
	}
	return path, nil
}

const template = `---
name: %[1]s
description: "Say here in one or two sentences what this skill does, and when to use it: the model chooses by this text."
# license: MIT
# compatibility: "Needs git and Go 1.26 or later"
# metadata:
#   requires-env: "NAME_OF_A_VARIABLE ANOTHER_ONE"
---

# %[1]s

Say here what the model has to do, step by step. It reads this text when the skill is
mentioned, as @%[1]s or $%[1]s, or fits the task.

1. The first step.
2. How to see that it worked.

Keep this file short. Put long reference texts into references/, programs into scripts/
and templates into assets/, and name them here with paths that start from this folder,
with a word on when each is needed.
`
