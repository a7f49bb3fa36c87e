package rules

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein/internal/testkit"
)

// built returns the book that is built in.
func built(t *testing.T) *Book {
	t.Helper()
	book, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// keys returns the settings that there are, as docs/settings.md lists them.
func keys(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile("../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(page)) {
		if key, ok := strings.CutPrefix(strings.TrimSpace(strings.Trim(line, "| ")), "`"); ok && strings.HasPrefix(line, "|") {
			key, _, _ = strings.Cut(key, "`")
			out = append(out, key)
		}
	}
	return out
}

func TestTheBookHasNoProblems(t *testing.T) {
	for _, sentence := range built(t).Problems(keys(t)) {
		t.Error(sentence)
	}
}

func TestThePageIsTheBooks(t *testing.T) {
	testkit.Golden(t, "../../docs/rules.md", []byte(built(t).Page()))
}

// page returns the book of one file.
func page(t *testing.T, text string) *Book {
	t.Helper()
	book, err := Read(fstest.MapFS{"d1.toml": {Data: []byte("area = \"D1\"\n" + text)}})
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func TestAKeyThatThereIsNotIsAnErrorWithItsFile(t *testing.T) {
	_, err := Read(fstest.MapFS{"d1.toml": {Data: []byte("[[rule]]\nidd = \"D1.a\"\n")}})
	if err == nil || !strings.Contains(err.Error(), "d1.toml") {
		t.Errorf("got %v, want an error that names d1.toml", err)
	}
}

func TestProblems(t *testing.T) {
	const good = `id = "D1.a"
kind = "invariant"
statement = "What is asked is answered."
`
	const example = "[[rule.example]]\nwhen = \"a\"\nthen = \"b\"\ntest = \"turn.TestA\"\n"
	tests := map[string]struct{ text, want string }{
		"a rule that is right":              {"[[rule]]\n" + good + example, ""},
		"an ID of another area":             {"[[rule]]\n" + strings.Replace(good, "D1", "D2", 1) + example, "its ID is not D1"},
		"an ID in capitals":                 {"[[rule]]\n" + strings.Replace(good, "D1.a", "D1.A", 1) + example, "its ID is not D1"},
		"a kind that there is not":          {"[[rule]]\n" + strings.Replace(good, "invariant", "law", 1) + example, `no kind "law"`},
		"a formula that is missing":         {"[[rule]]\n" + strings.Replace(good, "invariant", "formula", 1) + example, "formula is missing"},
		"a statement without an end":        {"[[rule]]\n" + strings.Replace(good, "answered.", "answered", 1) + example, "full stop"},
		"a limit that there is not":         {"[[rule]]\n" + good + "limits = [\"promt\"]\n" + example, `no limit "promt"`},
		"a setting that there is not":       {"[[rule]]\n" + good + "settings = [\"modell\"]\n" + example, `no setting "modell"`},
		"no example":                        {"[[rule]]\n" + good, "no example"},
		"an example without an end":         {"[[rule]]\n" + good + strings.Replace(example, `"b"`, `""`, 1), "lacks when or then"},
		"two of one ID":                     {"[[rule]]\n" + good + example + "[[rule]]\n" + good + example, "D1.a does not come after D1.a"},
		"the same in other letters":         {"[[rule]]\n" + good + example + "[[rule]]\n" + strings.NewReplacer("D1.a", "D1.b", "What is", "WHAT IS").Replace(good) + example, "D1.b says what D1.a says"},
		"a relation to nothing":             {"[[rule]]\n" + good + "triggers = [\"D1.b\"]\n" + example, "D1.a triggers D1.b, which is no other rule"},
		"a relation to itself":              {"[[rule]]\n" + good + "triggers = [\"D1.a\"]\n" + example, "which is no other rule"},
		"two rules that rest on each other": {"[[rule]]\n" + good + "depends_on = [\"D1.b\"]\n" + example + "[[rule]]\n" + strings.NewReplacer("D1.a", "D1.b", "asked", "said").Replace(good) + "depends_on = [\"D1.a\"]\n" + example, "depends_on goes round: D1.a, D1.b, D1.a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(page(t, tt.text).Problems([]string{"model"}), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSearchPutsTheBestFirst(t *testing.T) {
	list := []Rule{
		{ID: "D1.other", Statement: "A queue is named in passing."},
		{ID: "D1.op-queue", Statement: "Senders wait for room."},
		{ID: "D2.queue-of-senders", Statement: "What senders ask for waits."},
		{ID: "D3.nothing", Statement: "Nothing of that."},
	}
	var got []string
	for _, r := range Search(list, []string{"Queue", "senders"}) {
		got = append(got, r.ID)
	}
	if diff := cmp.Diff([]string{"D2.queue-of-senders", "D1.op-queue", "D1.other"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
