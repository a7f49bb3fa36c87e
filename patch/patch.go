package patch

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Patch is a set of changes to files.
type Patch struct{ Changes []Change }

// Change is what a patch does to one file. Paths are as the patch has them.
type Change struct {
	Kind  Kind
	Path  string
	To    string // new path of an update that moves the file, else ""
	Hunks []Hunk // of an update
	Text  string // of an added file
}

// String says what the change comes to: "M a.go (+3 -1)", "A b.go (+9)", "D c.go"
// or "R d.go -> e.go (+0 -0)".
func (c Change) String() string {
	switch {
	case c.Kind == Add:
		return fmt.Sprintf("A %s (+%d)", c.Path, strings.Count(c.Text, "\n"))
	case c.Kind == Delete:
		return "D " + c.Path
	case c.To != "":
		return fmt.Sprintf("R %s -> %s%s", c.Path, c.To, c.count())
	}
	return "M " + c.Path + c.count()
}

// count sums up the lines that hunks insert and remove.
func (c Change) count() string {
	plus, minus := 0, 0
	for _, h := range c.Hunks {
		for _, l := range h.Lines {
			switch l.Op {
			case '+':
				plus++
			case '-':
				minus++
			}
		}
	}
	return fmt.Sprintf(" (+%d -%d)", plus, minus)
}

// Kind says what is done to a file.
type Kind string

// The kinds of change.
const (
	Add    Kind = "add"
	Update Kind = "update"
	Delete Kind = "delete"
)

// Hunk replaces lines. Anchor names a line after which to look, "" for none.
type Hunk struct {
	Anchor string
	hint   bool // the anchor comes with line numbers and need not be there
	Lines  []HunkLine
	AtEnd  bool // the lines end the file
}

// HunkLine is a line that is kept (' '), removed ('-') or inserted ('+').
type HunkLine struct {
	Op   byte
	Text string
}

const (
	beginMark  = "*** Begin Patch"
	endMark    = "*** End Patch"
	addMark    = "*** Add File: "
	updateMark = "*** Update File: "
	deleteMark = "*** Delete File: "
	moveMark   = "*** Move to: "
	eofMark    = "*** End of File"
)

// Example shows the form of a patch.
const Example = `*** Begin Patch
*** Update File: path
@@ optional line above
 kept line
-old line
+new line
*** Add File: path
+line
*** Delete File: path
*** End Patch`

// Paths returns every path that the patch names, in order.
func (p Patch) Paths() []string {
	var out []string
	for _, c := range p.Changes {
		out = append(out, c.Path)
		if c.To != "" {
			out = append(out, c.To)
		}
	}
	return out
}

// Parse reads a patch. An error names the line of text that is wrong, and says
// how it should be.
func Parse(text string) (Patch, error) {
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"), "\n")
	if strings.TrimSpace(lines[0]) != beginMark {
		return Patch{}, errors.New("a patch begins with the line " + beginMark + "; its form is:\n" + Example)
	}
	if strings.TrimSpace(lines[len(lines)-1]) != endMark {
		return Patch{}, errors.New("the patch does not end with the line " + endMark + ", so it may be cut; nothing was changed")
	}
	p := parser{lines: lines[:len(lines)-1], at: 1}
	for p.at < len(p.lines) {
		if err := p.change(); err != nil {
			return Patch{}, err
		}
	}
	if len(p.patch.Changes) == 0 {
		return Patch{}, errors.New("the patch is empty; its form is:\n" + Example)
	}
	return p.patch, nil
}

type parser struct {
	lines []string
	at    int
	patch Patch
}

func (p *parser) fail(format string, args ...any) error {
	return fmt.Errorf("line %d of the patch: %s", p.at+1, fmt.Sprintf(format, args...))
}

func (p *parser) change() error {
	line := strings.TrimRight(p.lines[p.at], " \t")
	if line == "" {
		p.at++
		return nil
	}
	for _, known := range []struct {
		mark string
		kind Kind
		body func(*Change) error
	}{{addMark, Add, p.added}, {updateMark, Update, p.updated}, {deleteMark, Delete, p.deleted}} {
		path, ok := strings.CutPrefix(line, known.mark)
		if !ok {
			continue
		}
		c := Change{Kind: known.kind, Path: strings.TrimSpace(path)}
		if c.Path == "" {
			return p.fail("the path is missing")
		}
		p.at++
		if err := known.body(&c); err != nil {
			return err
		}
		p.patch.Changes = append(p.patch.Changes, c)
		return nil
	}
	return p.fail("%q is not the start of a change; those are %q, %q and %q", line, addMark+"path", updateMark+"path", deleteMark+"path")
}

// inBody reports whether the current line belongs to the change above it.
func (p *parser) inBody() bool {
	return p.at < len(p.lines) && !strings.HasPrefix(p.lines[p.at], "*** ")
}

func (p *parser) added(c *Change) error {
	var b strings.Builder
	for ; p.inBody(); p.at++ {
		line := p.lines[p.at]
		if line == "" && !p.more() {
			continue
		}
		text, ok := strings.CutPrefix(line, "+")
		if !ok {
			return p.fail("each line of an added file begins with +")
		}
		b.WriteString(text + "\n")
	}
	c.Text = b.String()
	return nil
}

// more reports whether another line that is not empty follows in this body.
func (p *parser) more() bool {
	for i := p.at; i < len(p.lines) && !strings.HasPrefix(p.lines[i], "*** "); i++ {
		if p.lines[i] != "" {
			return true
		}
	}
	return false
}

func (p *parser) deleted(*Change) error {
	for ; p.inBody(); p.at++ {
		if strings.TrimSpace(p.lines[p.at]) != "" {
			return p.fail("a deleted file has no lines")
		}
	}
	return nil
}

func (p *parser) updated(c *Change) error {
	if p.at < len(p.lines) {
		if to, ok := strings.CutPrefix(p.lines[p.at], moveMark); ok {
			c.To = strings.TrimSpace(to)
			p.at++
		}
	}
	for p.inBody() && p.more() {
		h, err := p.hunk()
		if err != nil {
			return err
		}
		c.Hunks = append(c.Hunks, h)
	}
	for p.inBody() {
		p.at++ // empty lines at the end
	}
	if len(c.Hunks) == 0 && c.To == "" {
		return p.fail("the update of %s changes nothing", c.Path)
	}
	return nil
}

// ranged is the head of a hunk in a unified diff.
var ranged = regexp.MustCompile(`^-\d+(,\d+)? \+\d+(,\d+)? @@ ?(.*)$`)

func (p *parser) hunk() (Hunk, error) {
	var h Hunk
	for p.inBody() && strings.HasPrefix(p.lines[p.at], "@@") {
		head := strings.TrimSpace(strings.TrimPrefix(p.lines[p.at], "@@"))
		if m := ranged.FindStringSubmatch(head); m != nil {
			head, h.hint = m[3], true
		}
		h.Anchor = strings.TrimSpace(strings.TrimSuffix(head, "@@"))
		p.at++
	}
	changes := false
	for ; p.inBody() && !strings.HasPrefix(p.lines[p.at], "@@"); p.at++ {
		line, ok := hunkLine(p.lines[p.at])
		if !ok {
			return h, p.fail("a line of a hunk begins with a space, - or +; this is %q", p.lines[p.at])
		}
		if p.lines[p.at] == "" && !p.more() {
			break
		}
		changes = changes || line.Op != ' '
		h.Lines = append(h.Lines, line)
	}
	if p.at < len(p.lines) && strings.TrimSpace(p.lines[p.at]) == eofMark {
		h.AtEnd = true
		p.at++
	}
	if !changes {
		return h, p.fail("the hunk above changes nothing: it has no line that begins with - or +")
	}
	return h, nil
}

func hunkLine(line string) (HunkLine, bool) {
	if line == "" {
		return HunkLine{Op: ' '}, true
	}
	switch line[0] {
	case ' ', '-', '+':
		return HunkLine{line[0], line[1:]}, true
	}
	return HunkLine{}, false
}
