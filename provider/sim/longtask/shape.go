package longtask

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Shape says how large a task is and where its facts lie.
type Shape struct {
	Model  string // the built-in script that plays it, such as "sim:long200"
	Steps  int    // requests before the last one, which answers
	Files  int
	Bytes  int // of a file, to the next whole line
	Groups []Group
	// Work adds a plan, reports that are written and checks that fail.
	Work bool
}

// Group is a number of facts that lie alike. Its letter begins their numbers.
type Group struct {
	Letter string
	Count  int
	// First and Last are the files that the facts are spread over, from 1; 0 puts
	// them into the prompt.
	First, Last int
	// From and To are how deep in their files they lie, in percent, the first
	// fact at From and the last one at To.
	From, To int
}

// The shapes that built-in scripts play.
var (
	// Long200 is about 180,000 tokens: 6 facts in the prompt, 8 at the beginning
	// of early files, 8 in the middle of later ones, 4 in the last ones.
	Long200 = Shape{
		Model: "sim:long200", Steps: 200, Files: 200, Bytes: 3000,
		Groups: []Group{{"U", 6, 0, 0, 0, 0}, {"F", 8, 3, 59, 5, 10}, {"M", 8, 66, 150, 45, 55}, {"L", 4, 188, 199, 10, 40}},
	}
	// Deep90 is about 130,000 tokens in larger files, with the same facts further
	// down in them.
	Deep90 = Shape{
		Model: "sim:deep90", Steps: 90, Files: 90, Bytes: 5500,
		Groups: []Group{{"U", 6, 0, 0, 0, 0}, {"F", 8, 2, 28, 60, 90}, {"M", 8, 31, 68, 60, 90}, {"L", 4, 84, 90, 60, 90}},
	}
	// Long1000 is about 850,000 tokens, with 40 facts spread evenly, a plan,
	// 40 reports and 10 checks that fail.
	Long1000 = Shape{
		Model: "sim:long1000", Steps: 1000, Files: 880, Bytes: 3400,
		Groups: []Group{{"S", 40, 11, 869, 5, 90}}, Work: true,
	}
)

// Task is a task that has been laid out.
type Task struct {
	Model  string // as of its shape
	Steps  int
	Prompt string
	// Facts are all of them in full, in the order in which they are met, such as
	// "FACT-M03: amber-anchor = 4f2a90cc".
	Facts []string
	// With Shape.Work: the files that the task adds, relative to root, the
	// commands that fail in the end, and the steps of the plan that stay open.
	Changed, Failing, Open []string
}

// Found returns the task's facts that are whole somewhere in text.
func (t Task) Found(text string) []string {
	var found []string
	for _, f := range t.Facts {
		if strings.Contains(text, f) {
			found = append(found, f)
		}
	}
	return found
}

var plainFolder = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._/-]*$`)

// Write lays the task out in folder below root, the folder that the harness
// works in. folder is slash-separated and of letters, digits, '.', '_' and '-';
// it is made when it is not there.
func (s Shape) Write(root, folder string) (Task, error) {
	if !plainFolder.MatchString(folder) || !filepath.IsLocal(filepath.FromSlash(folder)) {
		return Task{}, fmt.Errorf("lay out %s: %q is no plain name of a folder", s.Model, folder)
	}
	dir := filepath.Join(root, filepath.FromSlash(folder))
	if err := s.write(dir); err != nil {
		return Task{}, fmt.Errorf("lay out %s: %w", s.Model, err)
	}
	return s.task(folder), nil
}

func (s Shape) write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	placed := s.placed()
	for n := 1; n <= s.Files; n++ {
		text := fileText(n, s.Bytes, placed[n])
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.txt", n)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if !s.Work {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, "check.sh"), []byte(check), 0o600)
}

// fact is a fact in its place.
type fact struct {
	text  string
	file  int // 0 for the prompt
	depth int // percent
}

// facts returns all facts, in the order in which they are met.
func (s Shape) facts() []fact {
	var out []fact
	for _, g := range s.Groups {
		for i := range g.Count {
			id := fmt.Sprintf("%s%02d", g.Letter, i+1)
			out = append(out, fact{factText(id), between(g.First, g.Last, i, g.Count), between(g.From, g.To, i, g.Count)})
		}
	}
	return out
}

// between returns the ith of n places that are spread evenly from a to b.
func between(a, b, i, n int) int { return a + (b-a)*i/max(n-1, 1) }

func (s Shape) placed() map[int][]fact {
	out := map[int][]fact{}
	for _, f := range s.facts() {
		out[f.file] = append(out[f.file], f)
	}
	return out
}

func (s Shape) task(folder string) Task {
	t := Task{Model: s.Model, Steps: s.Steps, Prompt: s.prompt(folder)}
	for _, f := range s.facts() {
		t.Facts = append(t.Facts, f.text)
	}
	if !s.Work {
		return t
	}
	for i := 1; i <= rounds; i++ { // fixed: the task has so many
		t.Changed = append(t.Changed, fmt.Sprintf("%s/reports/%02d.md", folder, i))
		if i%failsEvery == 0 {
			t.Failing = append(t.Failing, fmt.Sprintf("sh %s/check.sh %d", folder, i))
		}
	}
	t.Open = []string{"settle the checks that failed", "tell the facts"}
	return t
}

// The work of sim:long1000: a report and a check in each of its rounds.
const (
	rounds     = 40
	failsEvery = 4
)

const check = `# A check that some parts do not pass.
if [ $(($1 % 4)) -eq 0 ]; then
  echo "check of part $1: the seal of crate $(($1 * 37)) is broken" >&2
  exit 3
fi
echo "check of part $1: passed"
`

func (s Shape) prompt(folder string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Read the files 001.txt to %03d.txt in the folder %s with cat, one a step and in order, and after each one append the step's number to steps.log there. ", s.Files, folder)
	b.WriteString("Some files have a line that begins with FACT and a number. ")
	if s.Work {
		b.WriteString("Keep a plan. After every 22 files write what was read to a report in reports there, and run check.sh there with the number of the report. Never delete a file. ")
	}
	b.WriteString("At the end tell all facts, word for word.\n")
	for _, f := range s.placed()[0] {
		b.WriteString("\n" + f.text)
	}
	return b.String()
}
