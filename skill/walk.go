package skill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// walk looks through roots, one after the other.
type walk struct {
	ctx      context.Context
	limits   limit.Set
	old, now cache
	visited  map[string]string // folder without links in its path → the path it was found by
	state    []seen
	hits     []longrein.LimitHit

	// Of the root that is looked through:
	root    int
	at      Root
	within  string // At.Within without links in its path
	folders int
	names   int
	deep    int    // folders that lie too deep
	many    int    // folders that are too many
	full    string // the first folder that was not listed whole
}

// seen is one thing that a look has come to. Looks that come to the same have the
// same Found.
type seen struct {
	root    int // from 1, in the order of the roots
	level   Level
	skill   *content
	folder  *listing
	problem Problem
}

func (w *walk) see(s seen) {
	s.root, s.level = w.root, w.at.Level
	w.state = append(w.state, s)
}

func (w *walk) problem(s Severity, path, format string, args ...any) {
	w.see(seen{problem: Problem{s, path, 0, fmt.Sprintf(format, args...)}})
}

func (w *walk) hit(l *limit.Limit, what string, cut int, unit string) {
	h := w.limits.Hit(l, what, int64(cut), w.at.Path)
	h.CutUnit = unit
	w.hits = append(w.hits, h)
	w.problem(Warning, w.at.Path, "%s (limit %s = %d). Move what is no skill somewhere else, or raise limits.%s", what, l.Name, w.limits.Of(l), l.Name)
}

// through looks through one root, if it is there.
func (w *walk) through(r Root) {
	w.root++
	w.at, w.folders, w.names, w.deep, w.many, w.full = r, 0, 0, 0, 0, ""
	real, err := filepath.EvalSymlinks(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		w.problem(Warning, r.Path, "the folder for skills cannot be looked at: %s", reason(err))
		return
	}
	w.within, _ = filepath.EvalSymlinks(cmp.Or(r.Within, r.Path))
	if w.leaves(r.Path, real) {
		return
	}
	w.folder(r.Path, real, 0)
	w.tellCuts()
}

// tellCuts tells what of a root was not looked at.
func (w *walk) tellCuts() {
	if w.full != "" {
		w.hit(limit.SkillEntries, fmt.Sprintf("not everything in %s is looked at", visible(w.full)), 0, "")
	}
	if w.deep > 0 {
		w.hit(limit.SkillDepth, fmt.Sprintf("folders that lie too deep in %s are not looked at", visible(w.at.Path)), w.deep, "folders")
	}
	if w.many > 0 {
		w.hit(limit.SkillFolders, fmt.Sprintf("not all folders in %s are looked at", visible(w.at.Path)), w.many, "folders")
	}
}

// leaves reports whether a link leads where it must not, and says so.
func (w *walk) leaves(path, real string) bool {
	if w.at.Level != LevelProject || inside(real, w.within) {
		return false
	}
	w.problem(Warning, path, "it leads to %s, out of %s, and was not followed. Copy what it leads to, or keep it in the user's folder for skills", visible(real), visible(w.within))
	return true
}

func inside(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(folder, string(filepath.Separator)))
}

// folder looks at one folder: it is a skill, or skills lie below it.
func (w *walk) folder(path, real string, depth int) {
	if w.ctx.Err() != nil || w.passed(path, real) {
		return
	}
	if w.folders == w.limits.Int(limit.SkillFolders) {
		w.many++
		return
	}
	w.folders++
	w.visited[real] = path
	if w.skill(path, real) && depth > 0 {
		return
	}
	for _, b := range w.list(path, real).below {
		if b.link {
			w.follow(filepath.Join(path, b.name), real, depth)
		} else {
			w.descend(filepath.Join(path, b.name), filepath.Join(real, b.name), depth)
		}
	}
}

// descend goes one folder deeper.
func (w *walk) descend(path, real string, depth int) {
	if depth == w.limits.Int(limit.SkillDepth) {
		w.deep++
		return
	}
	w.folder(path, real, depth+1)
}

// passed reports whether the folder was looked at before, by whatever path.
func (w *walk) passed(path, real string) bool {
	first, ok := w.visited[real]
	if ok && first != path {
		w.problem(Note, path, "it is the same folder as %s, and is looked at once", visible(first))
	}
	return ok
}

// follow goes to where a link leads, if that is a folder. A link back to a folder
// around it would go in circles.
func (w *walk) follow(path, parent string, depth int) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		w.problem(Warning, path, "the link leads nowhere: %s. Remove it or put it right", reason(err))
		return
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return
	}
	switch {
	case inside(parent, real):
		w.problem(Warning, path, "the link leads back to %s, in which it lies, and was not followed. Remove it", visible(real))
	case w.leaves(path, real):
	default:
		if !inside(real, w.within) {
			w.problem(Note, path, "the link leads out of %s, to %s", visible(w.at.Path), visible(real))
		}
		w.descend(path, real, depth)
	}
}

// skill reports whether the folder has a SKILL.md, and takes it.
func (w *walk) skill(path, real string) bool {
	name := filepath.Join(path, FileName)
	info, err := os.Lstat(filepath.Join(real, FileName))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.problem(Warning, name, "it cannot be looked at: %s", reason(err))
		}
		return false
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if info, err = w.target(name); err != nil {
			return true
		}
	}
	if !plain(name) {
		w.problem(Error, name, "its path cannot be shown to a model, so the skill is not there. Rename the folder with the unusual characters")
		return true
	}
	f := readFile(w.old.files[name], name, info, w.limits)
	w.now.files[name] = f
	w.see(seen{skill: f.content})
	return true
}

// plain reports whether a path can stand in a line of the list and of a skill's text.
func plain(path string) bool {
	return visible(path) == path && !strings.Contains(path, fileMark) &&
		inList(path) == path && longrein.NewFragment(longrein.TagSkill, path).Text == path
}

var errLeaves = errors.New("the link leads out of the project")

// target returns what the link at a SKILL.md leads to.
func (w *walk) target(name string) (os.FileInfo, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		w.problem(Error, name, "the link leads nowhere, so the skill is not there: %s", reason(err))
		return nil, err
	}
	if w.leaves(name, real) {
		return nil, errLeaves
	}
	return os.Stat(real)
}

var nothing = &dir{listing: &listing{}}

// list returns what lies in a folder.
func (w *walk) list(path, real string) *dir {
	info, err := os.Stat(real)
	if err != nil || !info.IsDir() {
		w.problem(Warning, path, "it has to be a folder, and is none")
		return nothing
	}
	d := listDir(w.old.dirs[path], path, info, w.limits.Int(limit.SkillEntries)-w.names)
	w.now.dirs[path] = d
	w.see(seen{folder: d.listing})
	w.names += d.names
	if d.cut && w.full == "" {
		w.full = path
	}
	return d
}
