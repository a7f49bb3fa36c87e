package environ

import (
	"bufio"
	"io"
	"path/filepath"
	"strings"

	"github.com/longrein/longrein/limit"
)

// Repository is the state of git around a folder. Everything is empty outside
// of a work tree, and what cannot be told is.
type Repository struct {
	Root   string // of the work tree, absolute
	Branch string // empty when a commit is checked out
	Commit string // 40 or 64 hexadecimal digits; empty before the first one
}

// Git returns the state of git around a folder. It reads git's own files and
// starts no process.
func Git(folder string) Repository {
	folder, err := workingDirectory(folder)
	if err != nil {
		return Repository{}
	}
	repo, _ := inspect(folder, nil)
	return repo
}

// inspect is Git for a folder without symbolic links in its path.
func inspect(folder string, limits limit.Set) (Repository, notices) {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if git, ok := gitDir(dir); ok {
			return git.state(dir, limits)
		}
		if dir == filepath.Dir(dir) {
			return Repository{}, notices{}
		}
	}
}

// gitFolders is where git keeps the state of a work tree, and where what all
// work trees of the repository share. Both are the same in the first one.
type gitFolders struct{ own, common string }

// gitDir returns git's folders if dir is the root of a work tree.
func gitDir(dir string) (gitFolders, bool) {
	own := filepath.Join(dir, ".git")
	if line, err := firstLine(own); err == nil { // a linked work tree or a submodule
		target, ok := strings.CutPrefix(line, "gitdir: ")
		if !ok {
			return gitFolders{}, false
		}
		own = below(dir, target)
	}
	if _, err := firstLine(filepath.Join(own, "HEAD")); err != nil {
		return gitFolders{}, false
	}
	git := gitFolders{own, own}
	if common, err := firstLine(filepath.Join(own, "commondir")); err == nil {
		git.common = below(own, common)
	}
	return git, true
}

func below(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func (g gitFolders) state(root string, limits limit.Set) (Repository, notices) {
	repo := Repository{Root: root}
	head, err := firstLine(filepath.Join(g.own, "HEAD"))
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if err != nil || !symbolic {
		repo.Commit = hash(head)
		return repo, notices{}
	}
	if !isRef(ref) {
		return repo, notices{}
	}
	if branch, ok := strings.CutPrefix(ref, "refs/heads/"); ok && branch != ".invalid" { // that stands there with reftables
		repo.Branch = branch
	}
	commit, found := g.commit(ref, limits)
	repo.Commit = commit
	return repo, found
}

// symbolicRefs is how many refs may name another one, as in git itself.
const symbolicRefs = 5

// commit returns what ref names, "" if it cannot be told.
func (g gitFolders) commit(ref string, limits limit.Set) (string, notices) {
	for range symbolicRefs {
		line, err := g.loose(ref)
		if err != nil {
			return g.packed(ref, limits)
		}
		next, symbolic := strings.CutPrefix(line, "ref: ")
		if !symbolic || !isRef(next) {
			return hash(line), notices{}
		}
		ref = next
	}
	return "", notices{}
}

func (g gitFolders) loose(ref string) (string, error) {
	line, err := firstLine(filepath.Join(g.own, ref))
	if err != nil && g.common != g.own {
		line, err = firstLine(filepath.Join(g.common, ref))
	}
	return line, err
}

// packed looks for ref in packed-refs, with a line "HASH REF" for each.
func (g gitFolders) packed(ref string, limits limit.Set) (string, notices) {
	var found notices
	name := filepath.Join(g.common, "packed-refs")
	f, size, err := openFile(name)
	if err != nil {
		return "", found
	}
	defer f.Close()
	most := limits.Of(limit.GitRefs)
	lines := bufio.NewScanner(io.LimitReader(f, most)) // fixed: git takes no ref that is longer than a path
	for lines.Scan() {
		if commit, ok := strings.CutSuffix(lines.Text(), " "+ref); ok {
			return hash(commit), found
		}
	}
	if size > most {
		found.hits = append(found.hits, limits.Hit(limit.GitRefs, "packed-refs, where the commit was looked for", size-most, name))
	}
	return "", found
}

// isRef reports whether name is a ref as git makes them. That it stays below
// git's folder and has no white space matters here: it is opened and shown.
func isRef(name string) bool {
	bad := func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?*[\`, r) }
	return strings.HasPrefix(name, "refs/") && !strings.Contains(name, "..") && !strings.ContainsFunc(name, bad)
}

// hash returns s if it is an object's name, else "".
func hash(s string) string {
	if (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == "" {
		return s
	}
	return ""
}

// firstLine returns the first line of one of git's small files.
func firstLine(name string) (string, error) {
	f, _, err := openFile(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	const longest = 4 << 10 // fixed: the longest path, and some
	data, err := io.ReadAll(io.LimitReader(f, longest))
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, "\r "), nil
}
