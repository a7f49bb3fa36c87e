package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/compare"
)

var toolsKind = kind{
	name: "same-tools",
	what: "the tools that requests declare, forks' included, are the same in the same order, within a window or in the whole session; " +
		"this holds for the replay and, where the session records its tools, for the recording",
	takes:   []string{"within"},
	example: "within = \"session\"\n",
	says:    func(r Rule) string { return "the declared tools and their order stay the same within a " + r.Within },
	judge: func(r Rule, s scene) judge {
		return &sameTools{session: s.session, within: r.Within}
	},
}

// sameTools compares what requests declare.
type sameTools struct {
	session *compare.Session
	within  string
	before  []byte // the declaration in the request before, nil before there is one
	at      int    // where it begins there
}

func (s *sameTools) see(r request) *finding {
	if len(s.before) > 0 && s.at <= len(r.Request.Body) && bytes.HasPrefix(r.Request.Body[s.at:], s.before) {
		return nil // the usual case, without reading a long request
	}
	now, from := declaration(r.Request.Body)
	before := s.before
	s.before, s.at = now, from
	if before == nil || bytes.Equal(before, now) || r.began && s.within == "window" {
		return nil
	}
	return at(r.Point, "%s", changed(named(before), named(now)))
}

// end looks at what was recorded. A recorded window keeps its tools, so they can
// change only between two.
func (s *sameTools) end(res *compare.Result) *finding {
	all := s.session.Tools
	if len(all) == 0 && len(s.before) == 0 {
		return nothing("neither the recording nor a request declares tools")
	}
	if s.within == "window" || len(all) < 2 {
		return nil
	}
	p := compare.Point{Step: all[1].Step, Window: all[1].Window}
	for _, q := range res.Points {
		if q.Step == p.Step {
			p = q
		}
	}
	return at(p, "window %d of the recording declares other tools: %s", all[1].Window, changed(specs(all[0].Tools), specs(all[1].Tools)))
}

// declaration returns the tools of a request's body as bytes, empty when there are
// none, and where they begin. The encoders write them before the list of entries;
// in texts before it every quote is escaped.
func declaration(body []byte) (tools []byte, from int) {
	const key = `"tools":[`
	for _, list := range []string{`"messages":[`, `"input":[`} {
		if end := bytes.Index(body, []byte(list)); end >= 0 && !bytes.Contains(body[:end], []byte(key)) {
			return []byte{}, 0
		}
	}
	from = bytes.Index(body, []byte(key)) + len(key) - 1
	var raw json.RawMessage
	if from < len(key) || json.NewDecoder(bytes.NewReader(body[from:])).Decode(&raw) != nil {
		return []byte{}, 0
	}
	return bytes.Clone(raw), from
}

// tool is a declaration under its name.
type tool struct{ name, text string }

// named takes a declaration apart, in whatever wire it is.
func named(declaration []byte) []tool {
	var raw []json.RawMessage
	if json.Unmarshal(declaration, &raw) != nil {
		return nil
	}
	var out []tool
	for _, text := range raw {
		var t struct {
			Name     string
			Function struct{ Name string }
		}
		if json.Unmarshal(text, &t) == nil {
			out = append(out, tool{t.Name + t.Function.Name, string(text)})
		}
	}
	return out
}

func specs(tools []longrein.ToolSpec) []tool {
	var out []tool
	for _, t := range tools {
		out = append(out, tool{t.Name, t.Description + "\x00" + string(t.Schema)})
	}
	return out
}

// changed says how two declarations differ.
func changed(before, now []tool) string {
	var said, order []string
	for _, t := range now {
		i := slices.IndexFunc(before, func(b tool) bool { return b.name == t.name })
		switch {
		case i < 0:
			said = append(said, t.name+" is new")
		case before[i].text != t.text:
			said = append(said, t.name+" has another description or schema")
		}
		order = append(order, t.name)
	}
	for _, t := range before {
		if !slices.Contains(order, t.name) {
			said = append(said, t.name+" is gone")
		}
	}
	if len(said) > 0 {
		return strings.Join(said, "; ")
	}
	for i := range min(len(before), len(now)) {
		if before[i].name != now[i].name {
			return fmt.Sprintf("the order is another: %s stands in place %d, where %s was", now[i].name, i+1, before[i].name)
		}
	}
	return "they are written in another way"
}
