package config

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// place is where a value stands in its source.
type place struct {
	source       string // file, variable or flag
	line, column int    // in a file, from 1; the column counts bytes
}

// String is the place for error messages.
func (p place) String() string {
	if p.line == 0 {
		return p.source
	}
	return p.short() + ":" + strconv.Itoa(p.column)
}

// short is the place for [Settings.Source].
func (p place) short() string {
	if p.line == 0 {
		return p.source
	}
	return p.source + ":" + strconv.Itoa(p.line)
}

// positions knows where the keys of a TOML document stand. The library's
// decoder tells places of errors only, its parser those of all keys.
type positions struct {
	source string
	lines  []int          // offset of each line's start
	offset map[string]int // by dotted key; of a table the first mention
}

func newPositions(source string, data []byte) positions {
	p := positions{source: source, lines: []int{0}, offset: map[string]int{}}
	for i, b := range data {
		if b == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	var parser unstable.Parser
	parser.Reset(data)
	var table []string
	for parser.NextExpression() {
		e := parser.Expression()
		if e.Kind == unstable.KeyValue {
			p.keyValue(table, e)
			continue
		}
		table = p.key(nil, e.Key())
	}
	return p
}

// keyValue notes a key and those in an inline table that is its value.
func (p positions) keyValue(table []string, e *unstable.Node) {
	path := p.key(table, e.Key())
	if len(path) > deepest || e.Value().Kind != unstable.InlineTable {
		return
	}
	for children := e.Value().Children(); children.Next(); {
		if child := children.Node(); child.Kind == unstable.KeyValue {
			p.keyValue(path, child)
		}
	}
}

// deepest is the length of the longest path that a key can have. Deeper ones
// are unknown, and are told at their first part.
const deepest = 4 // fixed: the parts of the longest key there is

// key notes every part of a dotted key and returns the whole path.
func (p positions) key(table []string, parts unstable.Iterator) []string {
	path := slices.Clone(table)
	for parts.Next() {
		part := parts.Node()
		path = append(path, string(part.Data))
		if len(path) > deepest {
			return path
		}
		if _, ok := p.offset[dotted(path)]; !ok {
			p.offset[dotted(path)] = int(part.Raw.Offset)
		}
	}
	return path
}

// place returns where path stands, or else the table it is in.
func (p positions) place(path []string) place {
	for n := len(path); n > 0; n-- {
		if at, ok := p.offset[dotted(path[:n])]; ok {
			line := sort.SearchInts(p.lines, at+1)
			return place{p.source, line, at - p.lines[line-1] + 1}
		}
	}
	return place{source: p.source}
}

// dotted writes a path as TOML does.
func dotted(path []string) string {
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = part
		if !bare(part) {
			parts[i] = strconv.Quote(part)
		}
	}
	return strings.Join(parts, ".")
}

var bare = madeOf(alphanumeric + "_-")
