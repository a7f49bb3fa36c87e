package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/longrein/longrein/limit"
)

// idForm is how IDs are written.
var idForm = regexp.MustCompile(`^D[1-9]\.[a-z0-9]+(-[a-z0-9]+)*$`)

// Problems returns what is wrong with a book, a sentence each: IDs and
// statements that are not well-formed, unique or in order, relations that lead
// nowhere or in a round, limits that are not in the table, settings that are not
// among keys, and rules without an example.
func (b *Book) Problems(keys []string) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	statements, known := map[string]string{}, map[string]bool{}
	for i, r := range b.Rules {
		if i > 0 && b.Rules[i-1].ID >= r.ID {
			add("%s does not come after %s", r.ID, b.Rules[i-1].ID)
		}
		plain := strings.ToLower(strings.Trim(r.Statement, ". "))
		if other := statements[plain]; other != "" {
			add("%s says what %s says", r.ID, other)
		}
		statements[plain], known[r.ID] = r.ID, true
		out = append(out, r.problems(keys)...)
	}
	relations := Relations(b.Rules)
	for _, rel := range relations {
		if !known[rel.To] || rel.From == rel.To {
			add("%s %s %s, which is no other rule", rel.From, rel.Kind, rel.To)
		}
	}
	for _, kind := range []string{"depends_on", "contains"} {
		if round := cycle(relations, kind); round != nil {
			add("%s goes round: %s", kind, strings.Join(round, ", "))
		}
	}
	return out
}

// Unruled returns the names of the limits that no rule names, in order. Those
// for what is only planned need none.
func (b *Book) Unruled() []string {
	var out []string
	for _, l := range limit.All {
		if l.Planned == "" && len(Filter{Limit: l.Name}.Of(b.Rules)) == 0 {
			out = append(out, l.Name)
		}
	}
	return out
}

// problems returns what is wrong with one rule alone.
func (r Rule) problems(keys []string) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, r.ID+": "+fmt.Sprintf(format, args...)) }
	if !idForm.MatchString(r.ID) || !strings.HasPrefix(r.ID, r.Area+".") {
		add("its ID is not %s, a dot, and words with dashes", r.Area)
	}
	if !slices.Contains(Kinds, r.Kind) {
		add("there is no kind %q", r.Kind)
	}
	if !sentence(r.Statement) {
		add("its statement is no line that ends with a full stop")
	}
	if r.Kind == Formula && r.Formula == "" {
		add("its formula is missing")
	}
	for _, name := range r.Limits {
		if limit.Named(name) == nil {
			add("there is no limit %q", name)
		}
	}
	for _, key := range r.Settings {
		if !slices.Contains(keys, key) {
			add("there is no setting %q", key)
		}
	}
	if len(r.Examples) == 0 {
		add("it has no example")
	}
	for _, e := range r.Examples {
		if e.When == "" || e.Then == "" || strings.ContainsAny(e.Given+e.When+e.Then, "\n\t") {
			add("an example lacks when or then, or has more than a line")
		}
	}
	return out
}

// sentence reports whether a text is one line that begins and ends as a
// sentence does.
func sentence(text string) bool {
	return text == strings.TrimSpace(text) && strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "..") &&
		!strings.ContainsAny(text, "\n\t") && !strings.Contains(text, "  ") && len(text) > 20
}

// cycle returns the IDs of a round that relations of one kind make, or nil.
func cycle(relations []Relation, kind string) []string {
	next := map[string][]string{}
	var starts []string
	for _, r := range relations {
		if r.Kind == kind {
			next[r.From] = append(next[r.From], r.To)
			starts = append(starts, r.From)
		}
	}
	done := map[string]bool{}
	for _, id := range starts {
		if round := walk(next, done, []string{id}); round != nil {
			return round
		}
	}
	return nil
}

// walk goes on from a path's end and returns the round that it comes to, or nil.
func walk(next map[string][]string, done map[string]bool, path []string) []string {
	end := path[len(path)-1]
	if done[end] {
		return nil
	}
	for _, to := range next[end] {
		if i := slices.Index(path, to); i >= 0 {
			return append(slices.Clone(path[i:]), to)
		}
		if round := walk(next, done, append(path, to)); round != nil {
			return round
		}
	}
	done[end] = true
	return nil
}
