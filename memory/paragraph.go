package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// Paragraph is a piece of a document that rests on items of its own.
type Paragraph struct {
	Text string  // without blank lines and space around it
	Hash string  // the first 12 hexadecimal digits of the SHA-256 of Text
	Seqs []int64 // the items it rests on, rising; empty when none are known
}

// Paragraphs returns the paragraphs of d in order. A list item is one, with the
// lines that continue it; so is a code block, whatever is in it. Headings, rules
// and blank lines are none.
func Paragraphs(d longrein.Document) []Paragraph {
	known := sources{}
	for _, s := range d.Sources {
		known.add(s.Paragraph, s.Seqs)
	}
	var out []Paragraph
	for _, b := range split(strings.Split(d.Text, "\n")) {
		out = append(out, Paragraph{Text: b.text, Hash: b.hash(), Seqs: known[b.hash()]})
	}
	return out
}

// block is a paragraph in its place: lines from to to, the last one left out.
type block struct {
	from, to int
	text     string
}

func (b block) hash() string {
	sum := sha256.Sum256([]byte(b.text))
	return hex.EncodeToString(sum[:6])
}

var (
	heading  = regexp.MustCompile(`^ {0,3}(#{1,6}(\s|$)|(-{3,}|\*{3,}|_{3,}|={3,})\s*$)`)
	listItem = regexp.MustCompile(`^\s*([-*+]|\d{1,9}[.)])\s`)
)

// split finds the paragraphs of a text.
func split(lines []string) []block {
	var out []block
	open := false
	var code fence
	for i, line := range lines {
		inside := code.step(line)
		switch {
		case inside && open:
		case inside, !blank(line) && !heading.MatchString(line) && (!open || listItem.MatchString(line)):
			out = append(out, block{from: i})
			open = true
		case blank(line), heading.MatchString(line):
			open = false
		}
		if open {
			out[len(out)-1].to = i + 1
		}
	}
	for i, b := range out {
		out[i].text = strings.TrimSpace(strings.Join(lines[b.from:b.to], "\n"))
	}
	return out
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// fence follows code blocks: the marks that opened the one that is open, else "".
type fence string

// step takes the next line in and reports whether it belongs to a code block.
func (f *fence) step(line string) bool {
	line = strings.TrimSpace(line)
	mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
	if mark == "" {
		mark = line[:len(line)-len(strings.TrimLeft(line, "~"))]
	}
	switch {
	case *f != "":
		if strings.HasPrefix(mark, string(*f)) && mark == line {
			*f = ""
		}
		return true
	case len(mark) >= 3 && !strings.Contains(line[len(mark):], "`"):
		*f = fence(mark)
		return true
	}
	return false
}

// sources are what paragraphs rest on, by their hash.
type sources map[string][]int64

// add says that a paragraph rests on seqs, beside what it rests on already.
func (s sources) add(hash string, seqs []int64) {
	all := append(slices.Clone(s[hash]), seqs...)
	slices.Sort(all)
	s[hash] = slices.Compact(all)
}

// of returns the sources of a document with this text.
func (s sources) of(text string) []longrein.Source {
	var out []longrein.Source
	seen := map[string]bool{}
	for _, b := range split(strings.Split(text, "\n")) {
		hash := b.hash()
		if seqs := s[hash]; len(seqs) > 0 && !seen[hash] {
			seen[hash] = true
			out = append(out, longrein.Source{Paragraph: hash, Seqs: seqs})
		}
	}
	return out
}
