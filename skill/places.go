package skill

import "path/filepath"

// Root is a folder in which skills are looked for.
type Root struct {
	Path  string // absolute
	Level Level
	// Within is the folder that links in a project's root must not leave; empty: Path.
	// Elsewhere links lead where their owner wants.
	Within string
}

// Places says where a user and a project may keep skills. Every path is absolute or
// empty.
type Places struct {
	Cwd     string   // the working directory
	Project string   // the root of its project, at or above Cwd; empty: Cwd alone is looked at
	Config  string   // Longrein's own config folder
	Home    string   // the user's home folder
	Extra   []string // further folders, such as plugins bring
}

// projectFolders and homeFolders hold skills; the second are what tools share.
var (
	projectFolders = []string{".longrein/skills", ".agents/skills", ".claude/skills"}
	homeFolders    = []string{".agents/skills", ".claude/skills"}
)

// Roots returns where skills are looked for, the nearest first: the project's from
// Cwd up to its root, the user's, and the further ones. They need not exist.
func (p Places) Roots() []Root {
	var roots []Root
	for _, dir := range p.above() {
		for _, name := range projectFolders {
			roots = append(roots, Root{filepath.Join(dir, filepath.FromSlash(name)), LevelProject, p.within()})
		}
	}
	if p.Config != "" {
		roots = append(roots, Root{Path: filepath.Join(p.Config, "skills"), Level: LevelUser})
	}
	if p.Home != "" {
		for _, name := range homeFolders {
			roots = append(roots, Root{Path: filepath.Join(p.Home, filepath.FromSlash(name)), Level: LevelUser})
		}
	}
	for _, dir := range p.Extra {
		roots = append(roots, Root{Path: dir, Level: LevelPlugin})
	}
	return p.once(roots)
}

// within is the project's root, or what stands in for it.
func (p Places) within() string {
	if p.Project == "" {
		return p.Cwd
	}
	return p.Project
}

// above returns the folders from Cwd up to the project's root.
func (p Places) above() []string {
	if p.Cwd == "" {
		return nil
	}
	dirs := []string{filepath.Clean(p.Cwd)}
	top := filepath.Clean(p.within())
	for dir := dirs[0]; dir != top; {
		up := filepath.Dir(dir)
		if up == dir { // the project is not above Cwd
			return dirs[:1]
		}
		dir = up
		dirs = append(dirs, dir)
	}
	return dirs
}

// once drops roots that were named before. Of a home folder that is a project too the
// user's stay: links there lead where the user wants.
func (p Places) once(roots []Root) []Root {
	last := map[string]Level{}
	for _, r := range roots {
		if last[r.Path] != LevelUser {
			last[r.Path] = r.Level
		}
	}
	seen := map[string]bool{}
	kept := roots[:0]
	for _, r := range roots {
		if !seen[r.Path] && last[r.Path] == r.Level {
			seen[r.Path] = true
			kept = append(kept, r)
		}
	}
	return kept
}
