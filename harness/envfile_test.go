package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/limit"
)

func TestALargeEnvFileIsToldAndNotRead(t *testing.T) {
	cwd := t.TempDir()
	if err := os.WriteFile(filepath.Join(cwd, ".env"), []byte("DB_PASSWORD=hunter22\n"+strings.Repeat("# more\n", 200)), 0o600); err != nil {
		t.Fatal(err)
	}
	for most, known := range map[int64]bool{1_000: false, 10_000: true} {
		var told []string
		h := New(Options{
			Cwd: cwd, Ephemeral: true, Notify: func(text string) { told = append(told, text) },
			Settings: &config.Settings{
				Paths: config.Paths{Data: t.TempDir()}, Privacy: config.Privacy{Redact: true},
				Limits: limit.Set{limit.EnvFile.Name: most},
			},
		})
		if got := !strings.Contains(h.redactor().Text("it is hunter22"), "hunter22"); got != known {
			t.Errorf("with a limit of %d bytes the secret is known: %v, want %v", most, got, known)
		}
		if said := strings.Contains(strings.Join(told, "\n"), "the limit env-file of 1000"); said == known {
			t.Errorf("with a limit of %d bytes it is told: %q", most, told)
		}
	}
}
