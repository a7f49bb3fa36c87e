package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein/config"
)

func TestSecretsAreKnownFromEverywhere(t *testing.T) {
	cwd, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(filepath.Join(cwd, ".env.local"), []byte("DB_PASSWORD=hunter22\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(on bool) *Harness {
		return New(Options{
			Cwd: cwd, Env: []string{"MY_KEY=plain-words", "GH_TOKEN=q8Zk3vR7tLw2"},
			Settings: &config.Settings{
				Paths: config.Paths{Data: data}, Privacy: config.Privacy{Redact: on},
				Providers: map[string]config.Provider{"mine": {Key: config.Key{Env: "MY_KEY"}}},
			},
		})
	}
	text := "hunter22 q8Zk3vR7tLw2 plain-words rest"
	got := open(true).redactor().Text(text)
	if strings.Count(got, "[redacted:") != 3 || !strings.HasSuffix(got, " rest") {
		t.Errorf("got %q", got)
	}
	if again := open(true).Redactor().Text(text); again != got {
		t.Errorf("another process gives %q, want %q", again, got)
	}
	if open(false).redactor() != nil {
		t.Error("secrets are redacted although they are to stay")
	}
	info, err := os.Stat(filepath.Join(data, "redact.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v, %v", info, err)
	}
}
