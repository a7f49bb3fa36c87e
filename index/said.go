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
// e before it; nothing has an empty kind.
func said(limits limit.Set, e Entry, r longrein.Record) passage {
	p := passage{seq: r.Seq, turn: e.Turns}
	most := limits.Int(limit.SearchItem)
	switch b := r.Body.(type) {
	case longrein.Input:
		p.kind, p.text = KindAsked, b.Text
		if b.Mode != longrein.InputSteer || e.State != longrein.TurnStarted {
			p.turn++ // it begins the next one
		}
	case longrein.Appended:
		p.kind, p.text = shown(b)
		if p.kind == KindOutput {
			most = limits.Int(limit.SearchOutput)
		}
	}
	p.text = head(p.text, most)
	if p.text == "" {
		return passage{}
	}
	return p
}

// shown is what of an item can be searched for. An input was found as such.
func shown(a longrein.Appended) (Kind, string) {
	switch it := a.Item.(type) {
	case longrein.Message:
		switch {
		case it.Role == longrein.RoleAssistant:
			return KindSaid, it.Text
		case it.Role == longrein.RoleUser && a.Input == 0:
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
