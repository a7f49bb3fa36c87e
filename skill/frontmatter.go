package skill

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// parts are the two sides of a SKILL.md.
type parts struct {
	front  []byte // YAML; its first line is the file's second
	text   []byte // what stands behind it
	opened bool   // the file begins with a front matter
	closed bool   // and it ends
}

var bom = []byte("\uFEFF")

// split takes a SKILL.md, or its beginning, apart. Without a front matter that is
// whole everything is text.
func split(raw []byte) parts {
	raw = bytes.TrimPrefix(raw, bom)
	rest, found := afterFence(raw)
	if !found {
		return parts{text: raw}
	}
	for at := rest; at < len(raw); {
		if n, fence := afterFence(raw[at:]); fence {
			return parts{front: raw[rest:at], text: raw[at+n:], opened: true, closed: true}
		}
		end := bytes.IndexByte(raw[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	return parts{text: raw, opened: true}
}

// afterFence reports whether a text begins with a line "---", and where the next one
// begins.
func afterFence(text []byte) (int, bool) {
	line, _, more := bytes.Cut(text, []byte("\n"))
	n := len(line)
	if more {
		n++
	}
	return n, string(bytes.TrimRight(line, " \t\r")) == "---"
}

// front is a front matter that was read: the nodes of its mapping, keys and values
// in turn.
type front struct {
	nodes    []*yaml.Node
	problems []Problem
}

// readFront reads YAML. What people get wrong most often is put right, with a
// warning, where that makes it valid. No alias is followed.
func readFront(path string, raw []byte) (front, bool) {
	f := front{}
	text := bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	if i := invalid(text); i >= 0 {
		f.add(Warning, path, lineOf(text, i)+1, "it is not UTF-8 here; the bytes that are not were replaced. Save the file as UTF-8")
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	nodes, err := mapping(text)
	if err != nil {
		better, mends := mend(path, string(text))
		if again, e := mapping([]byte(better)); e == nil {
			nodes, err = again, nil
			f.problems = append(f.problems, mends...)
		}
	}
	if err != nil {
		line, why := explain(err)
		f.add(Error, path, line, "the front matter is no valid YAML ("+why+"), so the skill is not there. Put it right, or write only name and description, in quotes")
		return f, false
	}
	f.nodes = nodes
	return f, true
}

func (f *front) add(s Severity, path string, line int, text string) {
	f.problems = append(f.problems, Problem{s, path, line, text})
}

var errNoMapping = errors.New("it has no lines of the form \"key: value\"")

// mapping returns the keys and values of a YAML text.
func mapping(text []byte) (nodes []*yaml.Node, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if doc.Kind == 0 { // blank, or comments alone
		return nil, nil
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errNoMapping
	}
	return doc.Content[0].Content, nil
}

// explain returns the file's line on which reading YAML failed, and why.
func explain(err error) (int, string) {
	var bad *yaml.LoadError
	if !errors.As(err, &bad) {
		return 2, err.Error()
	}
	return bad.Mark.Line + 1, oneLine(bad.Message)
}

// mend quotes plain values in which YAML sees more than a text, and puts spaces for
// tabs at the start of lines.
func mend(path, text string) (string, []Problem) {
	var f front
	var b strings.Builder
	n := 1
	for line := range strings.Lines(text) {
		n++
		body := strings.TrimLeft(line, " \t")
		if indent := line[:len(line)-len(body)]; strings.Contains(indent, "\t") {
			f.add(Warning, path, n, "the line begins with a tab, which YAML does not take; it was read as two spaces. Put spaces there")
			line = strings.ReplaceAll(indent, "\t", "  ") + body
		}
		if quoted, ok := quote(line); ok {
			f.add(Warning, path, n, "the value has characters that mean something in YAML; it was read as plain text. Put it in quotes")
			line = quoted
		}
		b.WriteString(line)
	}
	return b.String(), f.problems
}

// quote puts the value of a line "key: value" in quotes if YAML would not take it as
// a text.
func quote(line string) (string, bool) {
	key, value, ok := strings.Cut(strings.TrimRight(line, " \n"), ": ")
	value = strings.TrimSpace(value)
	if !ok || value == "" || strings.ContainsAny(key, "\"'#{[&*!|>") || strings.ContainsRune("\"'[{|>#", rune(value[0])) {
		return "", false
	}
	if !strings.Contains(value, ": ") && !strings.HasSuffix(value, ":") && !strings.ContainsRune("@`%&*!-?,]}", rune(value[0])) {
		return "", false
	}
	return fmt.Sprintf("%s: '%s'\n", key, strings.ReplaceAll(value, "'", "''")), true
}
