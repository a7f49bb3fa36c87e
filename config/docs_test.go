package config

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// documented returns the rows of docs/settings.md by their key: type, default,
// meaning and example.
func documented(t *testing.T) (rows map[string][]string, doc string) {
	t.Helper()
	data, err := os.ReadFile("../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	rows = map[string][]string{}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if key, ok := strings.CutPrefix(strings.TrimSpace(cells[0]), "`"); ok && len(cells) == 5 {
			rows[strings.TrimSuffix(key, "`")] = cells[1:]
		}
	}
	return rows, string(data)
}

func TestTheDocumentListsEveryKeyAndNoOther(t *testing.T) {
	want, got := map[string]string{}, map[string]string{}
	for _, k := range keys {
		want[strings.ReplaceAll(strings.Join(k.path, "."), anyName, "NAME")] = k.kind
	}
	rows, _ := documented(t)
	for key, cells := range rows {
		got[key] = cells[0]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys and types (-there are +documented):\n%s", diff)
	}
}

func TestTheExamplesOfTheDocumentAreAccepted(t *testing.T) {
	rows, doc := documented(t)
	cwd := t.TempDir()
	write(t, "You mend old programs.", cwd, "base.md")
	for key, cells := range rows {
		key = strings.Replace(key, "limits.NAME", "limits.prompt", 1)
		o := Options{Home: t.TempDir(), Cwd: cwd, Flags: []Flag{
			{"-c", "providers.NAME.base_url=http://127.0.0.1/v1"},
			{"-c", key + "=" + strings.Trim(strings.TrimSpace(cells[3]), "`")},
		}}
		if _, err := Load(o); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	_, file, _ := strings.Cut(doc, "```toml\n")
	file, _, _ = strings.Cut(file, "```")
	mustLoad(t, file)
}
