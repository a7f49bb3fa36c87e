package check

import (
	"fmt"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// positions knows where the keys of a policy stand: "policy", "policy.window",
// "rule[0]", "rule[0].kind".
type positions struct {
	file   string
	lines  []int // offset of each line's start
	offset map[string]int
}

func newPositions(file string, data []byte) positions {
	p := positions{file: file, lines: []int{0}, offset: map[string]int{}}
	for i, b := range data {
		if b == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	var parser unstable.Parser
	parser.Reset(data)
	table, rules := "", 0
	for parser.NextExpression() {
		e := parser.Expression()
		keys := e.Key()
		if !keys.Next() {
			continue
		}
		first := keys.Node()
		name := string(first.Data)
		switch e.Kind {
		case unstable.KeyValue:
			if table != "" {
				name = table + "." + name
			}
		case unstable.ArrayTable:
			if name == "rule" {
				name = fmt.Sprintf("rule[%d]", rules)
				rules++
			}
			table = name
		default:
			table = name
		}
		if _, ok := p.offset[name]; !ok {
			p.offset[name] = int(first.Raw.Offset)
		}
	}
	return p
}

// of returns line and column, from 1, of a key, or else of the table it is in;
// 0 where neither stands for itself.
func (p positions) of(key string) (line, column int) {
	for key != "" {
		if at, ok := p.offset[key]; ok {
			line = sort.SearchInts(p.lines, at+1)
			return line, at - p.lines[line-1] + 1
		}
		key = key[:max(strings.LastIndexAny(key, ".["), 0)]
	}
	return 0, 0
}

// place writes where a key stands.
func (p positions) place(key string) string {
	line, column := p.of(key)
	if line == 0 {
		return p.file
	}
	return fmt.Sprintf("%s:%d:%d", p.file, line, column)
}
