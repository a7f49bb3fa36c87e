package harness

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/turn"
)

func TestNothingFromOutsideShowsASecret(t *testing.T) {
	cwd := t.TempDir()
	for name, text := range map[string]string{
		"AGENTS.md":                       "Use q8Zk3vR7tLw2.\n",
		".longrein/skills/login/SKILL.md": "---\nname: login\ndescription: Logs in with q8Zk3vR7tLw2.\n---\nType q8Zk3vR7tLw2.\n",
	} {
		path := filepath.Join(cwd, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := New(Options{Cwd: cwd, Env: []string{"GH_TOKEN=q8Zk3vR7tLw2"}, Ephemeral: true, Settings: &config.Settings{
		Privacy: config.Privacy{Redact: true}, Skills: config.Skills{Enabled: true},
	}})
	l := h.lookout(&notebook{}, longrein.Settings{})
	begun := l.survey(context.Background(), turn.Survey{Window: true, Inputs: []string{"@login"}})
	var shown strings.Builder
	for _, e := range append(begun.Entries, begun.Skills...) {
		shown.WriteString(e.Item.(longrein.Fragment).Rendered())
	}
	if n := strings.Count(shown.String(), "[redacted:"); n != 3 || strings.Contains(shown.String(), "q8Zk3vR7tLw2") {
		t.Errorf("%d secrets are redacted, want 3:\n%s", n, shown.String())
	}
	if next := l.survey(context.Background(), turn.Survey{Seen: begun.Entries}); len(next.Changes) > 0 {
		t.Errorf("told as changed: %v", next.Changes)
	}
}
