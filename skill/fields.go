package skill

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/longrein/longrein/limit"
)

// Parse reads the front matter of a SKILL.md, of which raw is all or the beginning.
// The folder that path names is the skill's name if it says none. It reports false
// when an error is among the problems: there is no skill then.
func Parse(path string, raw []byte, limits limit.Set) (Skill, []Problem, bool) {
	r := reader{path: path, limits: limits}
	r.skill.Path = path
	ok := r.read(raw)
	sortProblems(r.problems)
	return r.skill, r.problems, ok
}

// reader takes a front matter in.
type reader struct {
	path   string
	limits limit.Set
	skill  Skill
	front
}

func (r *reader) problem(s Severity, line int, format string, args ...any) {
	r.add(s, r.path, line, fmt.Sprintf(format, args...))
}

func (r *reader) read(raw []byte) bool {
	most := r.limits.Int(limit.SkillFrontMatter)
	p := split(raw)
	switch {
	case !p.opened:
		r.problem(Error, 1, `it does not begin with a front matter, so the skill is not there. Begin with a line "---", then "description: …", then a line "---"`)
		return false
	case !p.closed && len(raw) > most, len(p.front) > most:
		r.problem(Error, 1, "its front matter has more than %d bytes (limit %s), so the skill is not there. Move text behind the line \"---\" that ends it", most, limit.SkillFrontMatter.Name)
		return false
	case !p.closed:
		r.problem(Error, 1, `its front matter does not end, so the skill is not there. Put a line "---" behind it`)
		return false
	}
	r.form(raw[:len(raw)-len(p.text)])
	front, ok := readFront(r.path, p.front)
	r.nodes, r.problems = front.nodes, append(r.problems, front.problems...)
	return ok && r.fields()
}

// form notes how the file was saved, which matters to other tools.
func (r *reader) form(head []byte) {
	if strings.HasPrefix(string(head), string(bom)) {
		r.problem(Note, 1, "it begins with a byte order mark, over which other tools stumble. Save it as UTF-8 without one")
	}
	if strings.Contains(string(head), "\r\n") {
		r.problem(Note, 1, "its lines end in CR LF, over which other tools and scripts stumble. Save it with LF")
	}
}

// fields reads every key, and reports whether a skill came of it.
func (r *reader) fields() bool {
	seen := map[string]bool{}
	for i := 0; i+1 < len(r.nodes); i += 2 {
		key, value := r.nodes[i], r.nodes[i+1]
		if seen[key.Value] {
			r.problem(Warning, key.Line+1, "%q stands there twice; the first counts. Remove one", key.Value)
			continue
		}
		seen[key.Value] = true
		r.field(key, value)
	}
	r.name()
	r.description()
	return r.skill.Name != "" && r.skill.Description != ""
}

var keys = []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}

func (r *reader) field(key, value *yaml.Node) {
	switch key.Value {
	case "name":
		r.skill.Name = r.text(key, value)
	case "description":
		r.skill.Description = r.text(key, value)
	case "license":
		r.skill.License = oneLine(r.text(key, value))
	case "compatibility":
		r.skill.Compatibility = oneLine(r.text(key, value))
	case "allowed-tools":
		r.skill.Tools = r.words(key, value)
	case "metadata":
		r.metadata(key, value)
	default:
		if near, ok := nearest(key.Value, keys, 2); ok && key.Kind == yaml.ScalarNode {
			r.problem(Warning, key.Line+1, "there is no key %q; did you mean %q?", oneLine(key.Value), near)
		}
	}
}

// text is a value that has to be one.
func (r *reader) text(key, value *yaml.Node) string {
	switch {
	case value.Kind == yaml.ScalarNode && value.Tag == "!!null":
		return ""
	case value.Kind == yaml.ScalarNode:
		return value.Value
	case value.Kind == yaml.AliasNode:
		r.problem(Warning, value.Line+1, "%s refers to another value, which is not followed. Write the text itself", key.Value)
	default:
		r.problem(Warning, value.Line+1, "%s has to be a text, and is a list or a mapping. Write it as one text", key.Value)
	}
	return ""
}

// words are a value's words, which stand in a text or a list.
func (r *reader) words(key, value *yaml.Node) []string {
	if value.Kind != yaml.SequenceNode {
		return apart(r.text(key, value))
	}
	var words []string
	for _, n := range value.Content {
		words = append(words, oneLine(r.text(key, n)))
	}
	return words
}

// apart divides at spaces and commas that no bracket is around.
func apart(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(c rune) bool {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth <= 0 && (c == ',' || c == ' ' || c == '\n' || c == '\t')
	})
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// envKeys are the metadata that name environment variables.
var envKeys = []string{"requires-env", "env"}

func (r *reader) metadata(key, value *yaml.Node) {
	if value.Kind != yaml.MappingNode {
		if text := r.text(key, value); text != "" {
			r.problem(Warning, value.Line+1, "metadata has to have lines of the form \"key: text\" below it")
		}
		return
	}
	for i := 0; i+1 < len(value.Content); i += 2 {
		k, v := value.Content[i], value.Content[i+1]
		text := v.Value
		switch {
		case slices.Contains(envKeys, k.Value):
			text = strings.Join(r.variables(k, v), " ")
		case v.Kind != yaml.ScalarNode:
			r.problem(Note, v.Line+1, "metadata %q is no text, and was passed over", oneLine(k.Value))
			continue
		}
		if r.skill.Metadata == nil {
			r.skill.Metadata = map[string]string{}
		}
		r.skill.Metadata[oneLine(k.Value)] = oneLine(text)
	}
}

func (r *reader) variables(key, value *yaml.Node) []string {
	words := r.words(key, value)
	for _, name := range words {
		switch {
		case !variable.MatchString(name):
			r.problem(Warning, value.Line+1, "%q in %s is no name of an environment variable. Separate names by spaces", oneLine(name), key.Value)
		case !slices.Contains(r.skill.Env, name):
			r.skill.Env = append(r.skill.Env, name)
		}
	}
	return words
}

// name makes the skill's name one that can be mentioned.
func (r *reader) name() {
	line := r.lineOf("name")
	folder := oneLine(filepath.Base(filepath.Dir(r.path)))
	most := r.limits.Int(limit.SkillName)
	said := oneLine(r.skill.Name)
	from := said
	if slug(said, most) == "" {
		from = folder
	}
	r.skill.Name = slug(from, most)
	switch name := r.skill.Name; {
	case name == "":
		r.problem(Error, line, "neither its name nor its folder's has a letter from a to z or a digit, so the skill is not there. Add \"name: …\"")
	case said == "":
		r.problem(Warning, line, "it has no name; that of its folder was taken. Add \"name: %s\"", name)
	case len(from) > most:
		r.problem(Warning, line, "its name has more than %d characters (limit %s); it is called %q here. Shorten it", most, limit.SkillName.Name, name)
	case name != said:
		r.problem(Warning, line, "the name %q may have only a to z, 0 to 9 and single hyphens between them; it is called %q here. Change it", said, name)
	case name != folder:
		r.problem(Warning, line, "its name is %q and its folder's is %q. Make them the same: other tools want that", name, folder)
	}
}

// description makes sure that there is one.
func (r *reader) description() {
	line := r.lineOf("description")
	most := r.limits.Int(limit.SkillDescription)
	text, cut := characters(oneLine(r.skill.Description), most)
	r.skill.Description = text
	switch {
	case text == "":
		r.problem(Error, line, "it has no description, so the skill is not there. Add \"description: …\", which says what it does and when to use it")
	case cut:
		r.problem(Warning, line, "its description has more than %d characters (limit %s); the rest was cut. Shorten it, and put details into the text below", most, limit.SkillDescription.Name)
	}
}

// lineOf is the file's line on which a key stands; 1 if it does not.
func (r *reader) lineOf(key string) int {
	for i := 0; i < len(r.nodes); i += 2 {
		if r.nodes[i].Value == key {
			return r.nodes[i].Line + 1
		}
	}
	return 1
}
