package lint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/environ"
	"github.com/longrein/longrein/limit"
)

// Options says where instructions are.
type Options struct {
	Cwd       string // absolute
	Global    string // folder with the user's own AGENTS.md; empty: none
	Fallbacks []string
	Limits    limit.Set
}

// usual are the files with instructions that are looked at in each folder, as the
// harness prefers them; those in other tools' names come last.
var (
	usual   = []string{"AGENTS.override.md", "AGENTS.md"}
	foreign = []string{"CLAUDE.md", "GEMINI.md", ".cursorrules", ".windsurfrules"}
)

// Read returns a subject with the files with instructions that are for a folder,
// those that are not read among them, and what the harness warns of and cuts when
// it reads them. Its error is that the folder is none, or the context's.
func Read(ctx context.Context, o Options) (Subject, error) {
	s := Subject{Limits: o.Limits}
	seen, err := environ.Look(ctx, environ.Options{Cwd: o.Cwd, Global: o.Global, Fallbacks: o.Fallbacks, Limits: o.Limits})
	if err != nil {
		return s, err
	}
	s.Warnings = seen.Warnings
	for _, h := range seen.Hits {
		if h.Name == limit.Instructions.Name || h.Name == limit.GlobalInstructions.Name {
			s.Hits = append(s.Hits, h)
		}
	}
	if o.Global != "" {
		s.folder(o.Global, nil)
	}
	for _, dir := range chain(seen.Root, o.Cwd) {
		s.folder(dir, o.Fallbacks)
	}
	return s, nil
}

// chain returns the folders from the root down to cwd.
func chain(root, cwd string) []string {
	dirs := []string{cwd}
	for root != "" && cwd != root && filepath.Dir(cwd) != cwd {
		cwd = filepath.Dir(cwd)
		dirs = append(dirs, cwd)
	}
	slices.Reverse(dirs)
	return dirs
}

// folder adds the files with instructions in dir: the first that there is counts.
func (s *Subject) folder(dir string, fallbacks []string) {
	read := ""
	for _, name := range slices.Concat(usual, fallbacks, foreign) {
		path := filepath.Join(dir, name)
		if s.textOf(path) != "" || path == read {
			continue
		}
		text, size, err := s.file(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			s.Warnings = appendNew(s.Warnings, fmt.Sprintf("%s: %v; put a readable text file there, or remove it", path, plain(err)), path)
			continue
		}
		t := Text{Kind: Instructions, Path: path, Text: text, Size: size, Instead: read}
		t.Unseen = read != "" || slices.Contains(foreign, name) && !slices.Contains(fallbacks, name)
		if !t.Unseen {
			read = path
		}
		s.Texts = append(s.Texts, t)
	}
}

// appendNew adds a warning unless there is one of that path.
func appendNew(all []longrein.Warning, text, path string) []longrein.Warning {
	if slices.ContainsFunc(all, func(w longrein.Warning) bool { return strings.Contains(w.Text, path) }) {
		return all
	}
	return append(all, longrein.Warning{Text: text})
}

// plain is err without the path, which the sentence around it names.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

var errFolder = errors.New("it is a folder, and nothing is read from it")

// file reads a file, as much of it as the limit lint-file allows.
func (s *Subject) file(path string) (text string, size int64, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", 0, err
	case info.IsDir():
		return "", 0, errFolder
	case !info.Mode().IsRegular():
		return "", 0, fmt.Errorf("it is a %v, and nothing is read from it", info.Mode().Type())
	}
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	most := s.Limits.Of(limit.LintFile)
	data, err := io.ReadAll(io.LimitReader(f, most))
	if info.Size() > most {
		s.Hits = append(s.Hits, s.Limits.Hit(limit.LintFile, path, info.Size()-most, path))
	}
	return strings.ReplaceAll(strings.ToValidUTF8(string(data), "�"), "\r\n", "\n"), info.Size(), err
}

// Add reads a file of another kind, such as a skill or a document of the notes,
// into s. One that cannot be read is left out; whoever owns it says so.
func (s *Subject) Add(kind Kind, path string) {
	if text, size, err := s.file(path); err == nil {
		s.Texts = append(s.Texts, Text{Kind: kind, Path: path, Text: text, Size: size})
	}
}
