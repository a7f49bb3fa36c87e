package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/longrein/longrein/compare"
	"github.com/longrein/longrein/config"
)

// Error is everything that is wrong with a policy, with file, line and column.
type Error struct{ Problems []string }

// Error lists the problems, one a line.
func (e *Error) Error() string { return strings.Join(e.Problems, "\n") }

// Parse reads a policy out of the file of that name, whose content data is.
// Strategies are the names there are; none: any name is taken. Its error is an
// [*Error].
func Parse(file string, data []byte, strategies []string) (*Policy, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	var doc map[string]any
	if err := toml.Unmarshal(data, &doc); err != nil {
		return nil, &Error{[]string{syntax(file, err)}}
	}
	r := &reader{at: newPositions(file, data), strategies: strategies, policy: Policy{Name: file}}
	r.document(doc)
	if len(r.problems) > 0 {
		return nil, &Error{r.sorted()}
	}
	return &r.policy, nil
}

func syntax(file string, err error) string {
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		file = fmt.Sprintf("%s:%d:%d", file, line, column)
	}
	return file + ": " + err.Error()
}

// reader makes a policy of a document.
type reader struct {
	at         positions
	strategies []string
	policy     Policy
	places     []string // of its rules
	setup      Setup    // of rules that name none
	problems   []problem
}

type problem struct{ key, text string }

func (r *reader) problem(key, format string, args ...any) {
	r.problems = append(r.problems, problem{key, fmt.Sprintf(format, args...)})
}

// sorted are the problems in the order of the file.
func (r *reader) sorted() []string {
	slices.SortStableFunc(r.problems, func(a, b problem) int {
		la, ca := r.at.of(a.key)
		lb, cb := r.at.of(b.key)
		return cmp.Or(cmp.Compare(la, lb), cmp.Compare(ca, cb))
	})
	var out []string
	for _, p := range r.problems {
		out = append(out, r.at.place(p.key)+": "+p.text)
	}
	return out
}

func (r *reader) document(doc map[string]any) {
	tables := []string{"policy", "rule"}
	for _, name := range slices.Sorted(maps.Keys(doc)) {
		if !slices.Contains(tables, name) {
			r.problem(name, "there is no table %s%s", name, hint(name, tables, "a policy has [policy] and any number of [[rule]]"))
		}
	}
	r.head(doc["policy"])
	rules, ok := list(doc["rule"])
	if !ok {
		r.problem("rule", "rule is a list of tables; each begins with [[rule]]")
		return
	}
	if len(rules) == 0 && len(r.problems) == 0 {
		r.problem("", "there is no [[rule]] in it, so it says nothing; longrein check --list shows the kinds")
	}
	for i, rule := range rules {
		r.rule(fmt.Sprintf("rule[%d]", i), rule)
	}
	r.twins()
}

// list takes a list of tables, or none.
func list(v any) (tables []map[string]any, ok bool) {
	if v == nil {
		return nil, true
	}
	all, ok := v.([]any)
	for _, one := range all {
		table, isTable := one.(map[string]any)
		tables, ok = append(tables, table), ok && isTable
	}
	return tables, ok
}

// head reads the table [policy].
func (r *reader) head(v any) {
	table, ok := v.(map[string]any)
	if !ok && v != nil {
		r.problem("policy", "policy is a table; it begins with [policy]")
	}
	var own Rule
	names := []string{"name", "strategy", "window", "profile"}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(names, name) {
			r.problem("policy."+name, "there is no key policy.%s%s", name, hint(name, names, "possible here: "+strings.Join(names, ", ")))
			continue
		}
		r.set(&own, "policy", name, table[name])
	}
	r.setup = own.Setup
	r.policy.Name = cmp.Or(own.Name, r.policy.Name)
}

// rule reads one [[rule]].
func (r *reader) rule(at string, table map[string]any) {
	name, _ := table["kind"].(string)
	k := find(name)
	if k == nil {
		r.noKind(at, table)
		return
	}
	rule := Rule{Kind: name, Setup: r.setup, Of: compare.Kinds, Seen: compare.ByReference, Within: "session"}
	rule.Line, _ = r.at.of(at)
	before := len(r.problems)
	known := k.all()
	for _, key := range slices.Sorted(maps.Keys(table)) {
		switch {
		case key == "kind":
		case !slices.Contains(known, key):
			r.problem(at+"."+key, "a rule of kind %s has no key %s%s", name, key, hint(key, known, "possible here: "+strings.Join(known, ", ")))
		default:
			r.set(&rule, at, key, table[key])
		}
	}
	for _, group := range k.needs {
		r.need(at, name, table, group)
	}
	if len(r.problems) > before {
		return
	}
	rule.Name = cmp.Or(rule.Name, k.says(rule)+r.elsewhere(rule.Setup))
	r.policy.Rules, r.places = append(r.policy.Rules, rule), append(r.places, at)
}

func (r *reader) noKind(at string, table map[string]any) {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	v, ok := table["kind"]
	name, isText := v.(string)
	switch {
	case !ok:
		r.problem(at, "a rule needs a kind: %s", strings.Join(names, ", "))
	case !isText:
		r.problem(at+".kind", "kind: want a string, not %s", typeName(v))
	default:
		r.problem(at+".kind", "there is no kind %q%s", name, hint(name, names, "there are "+strings.Join(names, ", ")))
	}
}

// need wants exactly one key of a group.
func (r *reader) need(at, kind string, table map[string]any, group []string) {
	var have []string
	for _, key := range group {
		if _, ok := table[key]; ok {
			have = append(have, key)
		}
	}
	switch len(have) {
	case 0:
		r.problem(at, "a rule of kind %s needs %s", kind, strings.Join(group, " or "))
	case 1:
	default:
		r.problem(at+"."+have[1], "a rule of kind %s takes %s, not both", kind, strings.Join(have, " or "))
	}
}

// set reads a key's value.
func (r *reader) set(rule *Rule, at, name string, v any) {
	err := keys[name](rule, v)
	if err == nil && name == "strategy" && len(r.strategies) > 0 && !slices.Contains(r.strategies, rule.Strategy) {
		err = fmt.Errorf("there is no strategy %q%s", rule.Strategy,
			hint(rule.Strategy, r.strategies, "there are "+strings.Join(r.strategies, ", ")))
	}
	if err != nil {
		r.problem(at+"."+name, "%s: %v", name, err)
	}
}

// elsewhere tells in a rule's name of a setup that is not the policy's.
func (r *reader) elsewhere(s Setup) string {
	var parts []string
	if s.Strategy != r.setup.Strategy {
		parts = append(parts, s.Strategy)
	}
	if s.Window != r.setup.Window {
		parts = append(parts, "window "+whole(int64(s.Window)))
	}
	if s.Profile != r.setup.Profile {
		parts = append(parts, s.Profile)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// twins finds rules of the same name, which reports could not tell apart.
func (r *reader) twins() {
	lines := map[string]int{}
	for i, rule := range r.policy.Rules {
		if line, ok := lines[rule.Name]; ok {
			r.problem(r.places[i], "the rule %q is there already, on line %d; give one of them another name", rule.Name, line)
		}
		lines[rule.Name] = rule.Line
	}
}

// hint is the nearest name, or else what is possible.
func hint(name string, known []string, possible string) string {
	if near := config.DidYouMean(name, known); near != "" {
		return near
	}
	return "; " + possible
}
