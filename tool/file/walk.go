package file

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// files yields the files below dir, with slashes and relative to it: those that
// git does not ignore, or all but .git where git has nothing to say. Each is
// yielded once. It ends early when ctx does.
func files(ctx context.Context, dir string, distrusted []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		any := false
		for name := range gitFiles(ctx, program("git", distrusted), dir) {
			any = true
			if !yield(name) {
				return
			}
		}
		if any || ctx.Err() != nil {
			return
		}
		walk(ctx, dir, yield)
	}
}

// harmless keeps git from running programs that a repository's settings name.
// The settings may be a model's work, and git runs outside of the sandbox: with
// core.fsmonitor it would ask a program, and for a missing object it would fetch
// from a remote whose settings name one.
var harmless = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0"}

// gitFiles yields nothing outside of a work tree, without git, and in a folder
// that is ignored.
func gitFiles(ctx context.Context, git, dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if git == "" {
			return
		}
		ctx, stop := context.WithCancel(ctx)
		cmd := exec.CommandContext(ctx, git, "-C", dir, "-c", "core.fsmonitor=false", "ls-files", "-co", "--exclude-standard", "-z")
		cmd.Env = append(os.Environ(), harmless...)
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			stop()
			return
		}
		defer func() {
			stop()
			_ = cmd.Wait()
		}()
		each(out, yield)
	}
}

// each yields the NUL-terminated names in r. Repeats follow each other.
func each(r io.Reader, yield func(string) bool) {
	br := bufio.NewReaderSize(r, 64<<10)
	last := ""
	for {
		name, err := br.ReadString(0)
		if err != nil {
			return
		}
		name = name[:len(name)-1]
		if name == last || strings.HasSuffix(name, "/") {
			continue // a nested repository is named with a slash
		}
		if last = name; !yield(name) {
			return
		}
	}
}

var errStop = errors.New("stop")

func walk(ctx context.Context, dir string, yield func(string) bool) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return errStop
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir // it may not be read
		case err != nil:
			return nil
		case d.IsDir() && d.Name() == ".git" && path != dir:
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if !yield(filepath.ToSlash(rel)) {
			return errStop
		}
		return nil
	})
}
