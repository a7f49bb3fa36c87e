package skill

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/longrein/longrein"
)

// FileName is the file that makes a folder a skill.
const FileName = "SKILL.md"

// Skill is a folder with a SKILL.md, as its front matter describes it.
type Skill struct {
	Name        string
	Description string // one line
	// License, Compatibility, Tools and Metadata may be empty.
	License       string
	Compatibility string
	Tools         []string // that it may use without asking, as it says itself; nobody acts on it
	Metadata      map[string]string
	Env           []string // environment variables that it needs
	Level         Level
	Path          string // of its SKILL.md, absolute
}

// Folder returns the folder that the skill's relative paths start from.
func (s Skill) Folder() string { return filepath.Dir(s.Path) }

// Missing returns those of the variables that a skill needs which lookup, such as
// os.LookupEnv, does not have or has empty.
func (s Skill) Missing(lookup func(string) (string, bool)) []string {
	var missing []string
	for _, name := range s.Env {
		if value, ok := lookup(name); !ok || value == "" {
			missing = append(missing, name)
		}
	}
	return missing
}

// link is how a user can name this skill and no other.
func (s Skill) link() string {
	path := s.Path
	if strings.ContainsAny(path, "()") {
		path = "<" + path + ">"
	}
	return "[$" + s.Name + "](" + path + ")"
}

// Level says whose a skill is.
type Level string

// The levels, the nearest first.
const (
	LevelProject Level = "project"
	LevelUser    Level = "user"
	LevelPlugin  Level = "plugin"
)

// Problem is something that is wrong with a skill or a folder for skills.
type Problem struct {
	Severity Severity
	Path     string
	Line     int    // 0: no line of its own
	Text     string // what is wrong and what to do
}

// Severity says what a problem does to a skill.
type Severity string

// An error keeps a skill out. With a warning it is there, and something in it is not
// as meant. A note is good to know when something is missed.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// place is the file and the line, for people.
func (p Problem) place() string {
	path := visible(p.Path)
	if p.Line == 0 {
		return path
	}
	return path + ":" + strconv.Itoa(p.Line)
}

// warning is the problem as a turn's user is told of it.
func (p Problem) warning() longrein.Warning {
	return longrein.Warning{Text: "skill " + p.String()}
}

// String is "PATH:LINE: TEXT".
func (p Problem) String() string { return p.place() + ": " + p.Text }

// sortProblems puts problems in the order of their places.
func sortProblems(ps []Problem) {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
}
