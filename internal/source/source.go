// Package source reads this module's own Go files, so that tests of the house
// can look at them. It reads every file whatever system it is for, skips
// testdata, hidden folders and nested modules, and checks no types. A [Package]
// holds [File]s.
package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Module is the import path of the module and the start of all its packages'.
const Module = "github.com/longrein/longrein"

// Package is one folder with Go files.
type Package struct {
	Dir   string // relative to the module's root, with slashes, "." for the root
	Name  string // of its files, without _test
	Files []*File
}

// File is one parsed Go file. Path is relative to the module's root.
type File struct {
	Path string
	Test bool
	AST  *ast.File
	Set  *token.FileSet // of all files that were loaded together
}

// Root returns the folder of go.mod, looking upward from the working folder.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("find the module: no go.mod here or above")
		}
		dir = up
	}
}

// Load parses all Go files under root and returns their packages by folder.
func Load(root string) ([]*Package, error) {
	byDir := map[string]*Package{}
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return enter(root, name, d)
		case filepath.Ext(name) != ".go":
			return nil
		}
		return add(byDir, set, root, name)
	})
	if err != nil {
		return nil, fmt.Errorf("read the module's source: %w", err)
	}
	return sorted(byDir), nil
}

// enter says whether a folder belongs to the module.
func enter(root, name string, d fs.DirEntry) error {
	if name == root {
		return nil
	}
	if strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "testdata" {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

func add(byDir map[string]*Package, set *token.FileSet, root, name string) error {
	tree, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return err
	}
	rel = filepath.ToSlash(rel)
	dir := path.Dir(rel)
	p := byDir[dir]
	if p == nil {
		p = &Package{Dir: dir, Name: strings.TrimSuffix(tree.Name.Name, "_test")}
		byDir[dir] = p
	}
	p.Files = append(p.Files, &File{Path: rel, Test: strings.HasSuffix(rel, "_test.go"), AST: tree, Set: set})
	return nil
}

func sorted(byDir map[string]*Package) []*Package {
	var all []*Package
	for _, p := range byDir {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *Package) int { return strings.Compare(a.Dir, b.Dir) })
	return all
}

// Code returns the files that are no tests.
func (p *Package) Code() []*File {
	return slices.DeleteFunc(slices.Clone(p.Files), func(f *File) bool { return f.Test })
}

// Import returns the path under which p is imported.
func (p *Package) Import() string { return path.Join(Module, p.Dir) }

// Imports returns the paths that f imports, each with its place.
func (f *File) Imports() map[string]string {
	out := map[string]string{}
	for _, spec := range f.AST.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil {
			out[name] = f.At(spec)
		}
	}
	return out
}

// At returns the place of n as path:line, relative to the module's root.
func (f *File) At(n ast.Node) string { return fmt.Sprintf("%s:%d", f.Path, f.Line(n.Pos())) }

// Line returns the line of p.
func (f *File) Line(p token.Pos) int { return f.Set.Position(p).Line }

// Lines returns the number of lines of f.
func (f *File) Lines() int { return f.Set.File(f.AST.FileStart).LineCount() }

// Reason returns what a comment of the form "// key: reason" on line, or on the
// line before it, says, and whether there is one.
func (f *File) Reason(key string, line int) (string, bool) {
	for _, group := range f.AST.Comments {
		for _, c := range group.List {
			at := f.Line(c.Slash)
			if at != line && at != line-1 {
				continue
			}
			text := strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
			if why, ok := strings.CutPrefix(text, key+":"); ok && strings.TrimSpace(why) != "" {
				return strings.TrimSpace(why), true
			}
		}
	}
	return "", false
}
