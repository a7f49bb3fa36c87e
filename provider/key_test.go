package provider_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider"
)

func write(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestKeyFrom(t *testing.T) {
	t.Setenv("LONGREIN_TEST_KEY", " sk-environment\n")
	t.Setenv("LONGREIN_TEST_NONE", "")
	for name, c := range map[string]struct {
		spec provider.KeySpec
		want string
		say  string // in the error
	}{
		"a variable":                 {provider.KeySpec{Env: "LONGREIN_TEST_KEY"}, "sk-environment", ""},
		"an empty variable":          {provider.KeySpec{Env: "LONGREIN_TEST_NONE"}, "", "LONGREIN_TEST_NONE holds no key; set it"},
		"a file":                     {provider.KeySpec{File: write(t, "\tsk-from-file \r\n", 0o600)}, "sk-from-file", ""},
		"a file only to read":        {provider.KeySpec{File: write(t, "sk-from-file", 0o400)}, "sk-from-file", ""},
		"a file that others read":    {provider.KeySpec{File: write(t, "sk-secret", 0o640)}, "", "run: chmod 600 "},
		"a file that is not there":   {provider.KeySpec{File: "/nowhere/key"}, "", "no such file"},
		"a folder":                   {provider.KeySpec{File: t.TempDir()}, "", "is not a file"},
		"an empty file":              {provider.KeySpec{File: write(t, "\n", 0o600)}, "", "holds no key"},
		"a file with more in it":     {provider.KeySpec{File: write(t, "sk-secret\nsk-secret", 0o600)}, "", "more than a key"},
		"a huge file":                {provider.KeySpec{File: write(t, strings.Repeat("secret", 10_000), 0o600)}, "", "limit key-size"},
		"a command":                  {provider.KeySpec{Command: "echo sk-of-command"}, "sk-of-command", ""},
		"a command that fails":       {provider.KeySpec{Command: "echo secret-words; echo no secret-words today >&2; exit 3"}, "", "exit status 3: no [key] today"},
		"a command that says little": {provider.KeySpec{Command: "true"}, "", "holds no key"},
		"a command that floods":      {provider.KeySpec{Command: "yes secret | head -100000"}, "", "limit key-size"},
		"a command with children":    {provider.KeySpec{Command: "sleep 20 & echo sk-of-command"}, "sk-of-command", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.spec.Provider = "acme"
			got, err := provider.KeyFrom(c.spec)(t.Context())
			if c.say == "" {
				if err != nil || got != c.want {
					t.Fatalf("key = %q, %v, want %q", got, err, c.want)
				}
				return
			}
			if longrein.KindOf(err) != longrein.ErrAuth || !strings.Contains(err.Error(), c.say) || !strings.HasPrefix(err.Error(), "acme: ") {
				t.Errorf("error = %v, want one with %q", err, c.say)
			}
			if strings.Contains(err.Error(), "secret") || got != "" {
				t.Errorf("the key shows: %q, %v", got, err)
			}
		})
	}
	if provider.KeyFrom(provider.KeySpec{}) != nil {
		t.Error("no source, and yet a key function")
	}
}

func TestKeyCommandRunsOnce(t *testing.T) {
	dir := t.TempDir()
	var stderr bytes.Buffer
	key := provider.KeyFrom(provider.KeySpec{
		Command: "echo asking >&2; echo run >> " + dir + "/runs; echo sk-of-command",
		Stderr:  &stderr,
	})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := key(t.Context()); err != nil || got != "sk-of-command" {
				t.Errorf("key = %q, %v", got, err)
			}
		})
	}
	all.Wait()
	if runs, _ := os.ReadFile(dir + "/runs"); string(runs) != "run\n" {
		t.Errorf("runs = %q, want one", runs)
	}
	if stderr.String() != "asking\n" {
		t.Errorf("stderr = %q", stderr.String())
	}
}

func TestAKeyFromACommandIsKeptOutOfErrors(t *testing.T) {
	ep := local
	ep.Key = provider.KeyFrom(provider.KeySpec{Command: "echo command-key"})
	if _, err := ep.Secret(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if got := provider.Refusal(ep, 400, nil, []byte("no command-key please")).Text; strings.Contains(got, "command-key") {
			t.Fatal(got)
		}
	}
}

func TestKeyCommandEnds(t *testing.T) {
	short, err := limit.Set{}.With("key-command", 100)
	if err != nil {
		t.Fatal(err)
	}
	_, err = provider.KeyFrom(provider.KeySpec{Command: "sleep 60", Limits: short})(t.Context())
	if err == nil || !strings.Contains(err.Error(), "limit key-command") {
		t.Errorf("error = %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = provider.KeyFrom(provider.KeySpec{Command: "sleep 60"})(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v, want the context's", err)
	}
}

// What a command prints beyond a key is thrown away as it comes.
func TestAFloodIsNotKept(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := provider.KeyFrom(provider.KeySpec{Command: "head -c 50000000 /dev/zero"})(t.Context())
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 8<<20 {
		t.Errorf("50 MB of output took %d bytes of memory, error %v", took, err)
	}
}

func TestRedactLeavesNoKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.StringMatching(`[a-z0-9+/=_-]{8,20}`), 1, 3).Draw(t, "keys")
		text := ""
		for _, k := range keys {
			text += rapid.String().Draw(t, "between") + k
		}
		got := provider.Redact(text, keys...)
		for _, k := range keys {
			if strings.Contains(got, k) {
				t.Fatalf("%q is left in %q", k, got)
			}
		}
	})
	for text, want := range map[string]string{
		"the ollama server":                     "the ollama server",
		"Incorrect key: sk-proj-abc***xyz.":     "Incorrect key: [key]",
		"Authorization: Bearer abc.def.ghi now": "Authorization: Bearer [key] now",
		"task-runner and desk-lamp-of-oak":      "task-runner and desk-lamp-of-oak",
	} {
		if got := provider.Redact(text, "ollama"); got != want {
			t.Errorf("Redact(%q) = %q, want %q", text, got, want)
		}
	}
}
