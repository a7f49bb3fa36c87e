package file

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/longrein/longrein/tool/output"
)

// SearchQuery says what to search for. Pattern is a regular expression.
type SearchQuery struct {
	Dir     string // that paths are relative to
	Path    string // a folder or file, "" for Dir
	Pattern string
	Glob    string // for names, or for paths when it has a slash; "" for all
	Most    int    // lines that are returned
	Line    int    // bytes of a line that are shown
	Files   int    // files that are looked through without ripgrep
	// Distrusted folders hold no programs that are run.
	Distrusted []string
}

// Found are matching lines as "path:line:text", sorted by path.
type Found struct {
	Lines []string
	More  bool // there are further ones
	Late  bool // ctx ended before everything was seen
	Long  int  // lines that were cut
}

// Search looks for lines in files that git does not ignore: by ripgrep where it
// is installed, else by itself, with the same output.
func Search(ctx context.Context, q SearchQuery) (Found, error) {
	where := filepath.Join(q.Dir, q.Path)
	if filepath.IsAbs(q.Path) {
		where = q.Path
	}
	if _, err := os.Stat(where); err != nil {
		return Found{}, fmt.Errorf("%s does not exist", where)
	}
	if ofProcesses(where) {
		return Found{}, processes(where)
	}
	if rg := program("rg", q.Distrusted); rg != "" {
		return ripgrep(ctx, rg, q)
	}
	return scan(ctx, where, q)
}

// ripgrep runs rg. What the model wrote is never read as an option.
func ripgrep(ctx context.Context, program string, q SearchQuery) (Found, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	args := []string{
		"--no-config", "--no-messages", "--no-heading", "--with-filename", "--line-number", "--color=never",
		"--hidden", "--glob=!.git", "--sort=path", "--regexp=" + q.Pattern,
	}
	if q.Glob != "" {
		args = append(args, "--glob="+q.Glob)
	}
	args = append(args, "--")
	if q.Path != "" {
		args = append(args, q.Path)
	} else {
		args = append(args, ".")
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = q.Dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Found{}, err
	}
	if err := cmd.Start(); err != nil {
		return Found{}, fmt.Errorf("start rg: %w", err)
	}
	c := collector{q: q}
	c.lines(out)
	late := ctx.Err() != nil
	stop()
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 && len(c.found.Lines) == 0 && said.Len() > 0 {
		return Found{}, errors.New(strings.TrimSpace(output.Clean(said.Bytes())))
	}
	c.found.Late = late
	return c.found, nil
}

// collector takes matching lines until there are enough.
type collector struct {
	q     SearchQuery
	found Found
}

// add takes a line and reports whether another one is welcome.
func (c *collector) add(line []byte, long bool) bool {
	if len(c.found.Lines) == c.q.Most {
		c.found.More = true
		return false
	}
	line = bytes.TrimPrefix(bytes.TrimRight(line, "\r\n"), []byte("./"))
	n := output.Prefix(line, c.q.Line)
	text := output.Clean(line[:n])
	if long || n < len(line) {
		text += "…"
		c.found.Long++
	}
	c.found.Lines = append(c.found.Lines, text)
	return true
}

// lines adds the lines of r, of which it never holds more than a buffer.
func (c *collector) lines(r io.Reader) {
	br := bufio.NewReaderSize(r, 64<<10)
	for {
		line, long, err := shortLine(br)
		if len(line) > 0 && !c.add(line, long) || err != nil {
			return
		}
	}
}

// shortLine reads a line and returns it, or its start when it is longer than
// br's buffer. The bytes are valid until the next read.
func shortLine(br *bufio.Reader) (line []byte, long bool, err error) {
	line, err = br.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, false, err
	}
	line = bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = br.ReadSlice('\n')
	}
	return line, true, err
}

// scan is the search without ripgrep.
func scan(ctx context.Context, where string, q SearchQuery) (Found, error) {
	re, err := regexp.Compile(q.Pattern)
	if err != nil {
		return Found{}, err
	}
	if !doublestar.ValidatePattern(q.Glob) {
		return Found{}, fmt.Errorf("%q is not a glob", q.Glob)
	}
	c := collector{q: q}
	if info, err := os.Stat(where); err == nil && !info.IsDir() {
		c.file(ctx, re, where, q.Path)
		return c.found, nil
	}
	lister := lister{most: q.Files, seen: map[string]int{}}
	for name := range files(ctx, where, q.Distrusted) {
		if q.Glob == "" || globMatch(q.Glob, name) {
			lister.add(name)
		}
	}
	for _, name := range lister.trim() {
		if !c.file(ctx, re, filepath.Join(where, name), path.Join(filepath.ToSlash(q.Path), name)) {
			break
		}
	}
	c.found.Late = ctx.Err() != nil
	c.found.More = c.found.More || lister.more > 0
	return c.found, nil
}

// file adds a file's matching lines and reports whether to go on.
func (c *collector) file(ctx context.Context, re *regexp.Regexp, name, shown string) bool {
	if ctx.Err() != nil {
		return false
	}
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return true
	}
	f, err := os.Open(name)
	if err != nil {
		return true
	}
	defer f.Close()
	br := bufio.NewReaderSize(f, 64<<10)
	if start, _ := br.Peek(8 << 10); bytes.IndexByte(start, 0) >= 0 { // fixed: where text differs from other files
		return true
	}
	for n := 1; ; n++ {
		line, long, err := shortLine(br)
		if re.Match(bytes.TrimRight(line, "\r\n")) && len(line) > 0 &&
			!c.add(append(fmt.Appendf(nil, "%s:%d:", shown, n), line...), long) {
			return false
		}
		if err != nil {
			return ctx.Err() == nil
		}
	}
}
