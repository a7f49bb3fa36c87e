package doccheck_test

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/longrein/longrein/internal/source"
)

// contract is where the cases of background memory's contract are listed.
const contract = "docs/decisions/0013-memory-contract.md"

var (
	row   = regexp.MustCompile(`(?m)^\| *([^|]*?) *\|([^|]*)\|([^|]*)\|?$`)
	named = regexp.MustCompile(`\b(\w+)\.(Test\w+)`)
	cases = regexp.MustCompile(`(?i)\bcases? (\d+(?:(?:,| and| to|, and) \d+)*)`)
)

// Every case has a row in the record, every test that a row names is there, and
// the file it is in has the case's number.
func TestEveryCaseHasItsRow(t *testing.T) {
	root, err := source.Root()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(contract)))
	if err != nil {
		t.Fatal(err)
	}
	tests := allTests(t, root)
	seen := map[int]bool{}
	for _, r := range row.FindAllStringSubmatch(string(page), -1) {
		n, _ := strconv.Atoi(r[1])
		seen[n] = true
		if strings.TrimSpace(r[2]) == "" && strings.TrimSpace(r[3]) == "" {
			t.Errorf("case %d has neither a test nor a reason", n)
		}
		for _, name := range named.FindAllString(r[2], -1) {
			if numbers, ok := tests[name]; !ok || n > 0 && !numbers[n] {
				t.Errorf("row %q: there is no %s, or its file does not have the number", r[1], name)
			}
		}
		for _, name := range named.FindAllString(r[3], -1) {
			if _, ok := tests[name]; !ok {
				t.Errorf("row %q: there is no %s", r[1], name)
			}
		}
	}
	for n := 1; n <= 105; n++ {
		if !seen[n] {
			t.Errorf("case %d has no row in %s", n, contract)
		}
	}
}

// allTests returns the module's tests, by the last element of their package's
// folder and their name, with the cases that their files speak of.
func allTests(t *testing.T, root string) map[string]map[int]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	tests := map[string]map[int]bool{}
	packages, err := source.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		for _, f := range p.Files {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range declared.FindAllStringSubmatch(string(text), -1) {
				tests[path.Base(p.Dir)+"."+d[1]] = spokenOf(string(text))
			}
		}
	}
	return tests
}

// spokenOf returns the numbers in phrases such as "cases 1 to 3, 7 and 9".
func spokenOf(text string) map[int]bool {
	numbers := map[int]bool{}
	for _, m := range cases.FindAllStringSubmatch(text, -1) {
		from, to := 0, false
		for _, word := range strings.Fields(strings.ReplaceAll(m[1], ",", "")) {
			n, err := strconv.Atoi(word)
			if err != nil {
				to = word == "to"
				continue
			}
			for i := from + 1; to && i < n; i++ {
				numbers[i] = true
			}
			numbers[n], from, to = true, n, false
		}
	}
	return numbers
}

func TestCasesAreFoundInAText(t *testing.T) {
	got := spokenOf("// Cases 1 to 3, 7 and 9: of them\n\"case 42: a call\": x // in 10 cases of 20")
	if want := []int{1, 2, 3, 7, 9, 42}; !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("got %v, want %v", slices.Sorted(maps.Keys(got)), want)
	}
}
