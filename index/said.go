package index

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Kind is what a text that a search finds is.
type Kind string

// A text is a thread's name, what the user asked, what the model said, a tool call,
// or the beginning of its output.
const (
	KindName   Kind = "name"
	KindAsked  Kind = "asked"
	KindSaid   Kind = "said"
	KindCalled Kind = "called"
	KindOutput Kind = "output"
)

// passage is a text of a thread that can be searched for.
type passage struct {
	seq  int64 // its record
	turn int   // that it is a part of, 0 before the first
	kind Kind
	text string
}

// said returns what of the record r can be searched for, in a thread whose row is
// e before it; nothing has an empty text. An input is found once a turn has taken it.
func said(limits limit.Set, e Entry, r longrein.Record) passage {
	a, ok := r.Body.(longrein.Appended)
	if !ok {
		return passage{}
	}
	p, most := passage{seq: r.Seq, turn: e.Turns}, limits.Int(limit.SearchItem)
	if p.kind, p.text = shown(a.Item); p.kind == KindOutput {
		most = limits.Int(limit.SearchOutput)
	}
	p.text = head(p.text, most)
	return p
}

// shown is what of an item can be searched for.
func shown(it longrein.Item) (Kind, string) {
	switch it := it.(type) {
	case longrein.Message:
		switch it.Role {
		case longrein.RoleAssistant:
			return KindSaid, it.Text
		case longrein.RoleUser:
			return KindAsked, it.Text
		}
	case longrein.ToolCall:
		return KindCalled, it.Name + " " + arguments(it.Args)
	case longrein.ToolOutput:
		return KindOutput, it.Text
	}
	return "", ""
}

// arguments are the texts in a call's JSON without their names. What is no JSON is
// searched as it is.
func arguments(args string) string {
	var v any
	if json.Unmarshal([]byte(args), &v) != nil {
		return args
	}
	return strings.Join(texts(v, nil), " ")
}

func texts(v any, out []string) []string {
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = texts(e, out)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = texts(v[name], out)
		}
	}
	return out
}

// head is the start of a text, in at most n bytes and whole characters.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xc0 == 0x80 { // inside a character
		n--
	}
	return text[:n]
}
