package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// write puts a file below folder, with the folders it needs.
func write(t *testing.T, content string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// load loads with a home that has content as its config.toml.
func load(t *testing.T, content string, env ...string) (*Settings, error) {
	t.Helper()
	home := t.TempDir()
	write(t, content, home, "config.toml")
	return Load(Options{Home: home, Cwd: t.TempDir(), Env: append(env, "HOME=/home/me")})
}

func mustLoad(t *testing.T, content string, env ...string) *Settings {
	t.Helper()
	s, err := load(t, content, env...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWithoutAnythingTheBuiltInValuesHold(t *testing.T) {
	s, err := Load(Options{Home: t.TempDir(), Cwd: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if s.Strategy != "background" || s.Approval != "on-request" || s.Sandbox != "workspace-write" {
		t.Errorf("got strategy %q, approval %q, sandbox %q", s.Strategy, s.Approval, s.Sandbox)
	}
	if got := s.Source("strategy"); got != "built-in" {
		t.Errorf("source = %q", got)
	}
	want := Provider{BaseURL: "https://api.openai.com/v1", Wire: "responses", Server: "openai", Key: Key{Env: "OPENAI_API_KEY"}}
	if diff := cmp.Diff(want, s.Providers["openai"]); diff != "" {
		t.Errorf("openai (-want +got):\n%s", diff)
	}
}

func TestTheLaterSourceWins(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	user := write(t, "# mine\nmodel = 'from-user'\neffort = 'low'\nsandbox = 'full'\napproval = 'never'\n", home, "config.toml")
	trusted := write(t, "model = 'from-project'\neffort = 'high'\nsandbox = 'read-only'\n", project, ".longrein", "config.toml")
	o := Options{
		Home: home, Cwd: project,
		Env:   []string{"LONGREIN_MODEL=from-variable", "LONGREIN_EFFORT=medium"},
		Flags: []Flag{{"-c", "model=first"}, {"-m", "from-flag"}},
	}
	if err := Homes(home, nil).Trust(project); err != nil {
		t.Fatal(err)
	}
	s, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string][2]string{
		"model":    {"from-flag", "-m"},
		"effort":   {"medium", "LONGREIN_EFFORT"},
		"sandbox":  {"read-only", trusted + ":3"},
		"approval": {"never", user + ":5"},
		"strategy": {"background", "built-in"},
	} {
		values := map[string]string{"model": s.Model, "effort": s.Effort, "sandbox": s.Sandbox, "approval": s.Approval, "strategy": s.Strategy}
		if got := [2]string{values[key], s.Source(key)}; got != want {
			t.Errorf("%s = %v, want %v", key, got, want)
		}
	}
}

func TestEveryKeyOfAFileArrives(t *testing.T) {
	s := mustLoad(t, `
model = "gpt-5.4"
provider = "local"
strategy = "pack"
max_output_tokens = 4096
base_instructions = "Be brief."

[providers.local]
base_url = "http://127.0.0.1:8080/v1"
wire = "responses"
key_command = ["pass", "show", "it's"]
proxy = "socks5h://127.0.0.1:7890"
headers = { X-Team = "blue" }
ca_file = "~/ca.pem"
server = "llama.cpp"
[providers.local.query]
api-version = "2026-01-01"

[providers.openai]
key_file = "/run/key"

[models."gpt-5.4"]
context_window = 272_000
effort = "high"
input_price = 0
output_price = 7.5

[limits]
tool-output = "64KiB"
command-time = "1m30s"
turn-steps = 7

[memory]
policy = "fixed"
every = "5 turns"
budget = 0
probe = "model"
stale = false
schedule = false

[tools]
network = true
writable = ["/var/cache", "~/go", "sub"]
env_deny = ["*_TOKEN"]
env_keep = ["GITHUB_TOKEN"]

[agents_md]
fallbacks = ["CLAUDE.md"]
`)
	home := s.Paths.Config
	wantProvider := Provider{
		BaseURL: "http://127.0.0.1:8080/v1", Wire: longrein.WireResponses, Server: "llama.cpp",
		Key: Key{Command: `'pass' 'show' 'it'\''s'`}, Proxy: "socks5h://127.0.0.1:7890", CAFile: "/home/me/ca.pem",
		Headers: map[string]string{"X-Team": "blue"}, Query: map[string]string{"api-version": "2026-01-01"},
	}
	free, output := 0.0, 7.5
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"provider", s.Providers["local"], wantProvider},
		{"a key file takes the place of a key's variable", s.Providers["openai"].Key, Key{File: "/run/key"}},
		{"model", s.Models["gpt-5.4"], Model{ContextWindow: 272_000, Effort: "high", Price: Price{Input: &free, Output: &output}}},
		{"limits", s.Limits, limit.Set{"tool-output": 65536, "command-time": 90_000, "turn-steps": 7, "memory-budget": 0}},
		{"memory", s.Memory, Memory{Policy: "fixed", Every: Every{Turns: 5}, Probe: "model"}},
		{"tools", s.Tools, Tools{true, []string{"/var/cache", "/home/me/go", home + "/sub"}, []string{"*_TOKEN"}, []string{"GITHUB_TOKEN"}}},
		{"fallbacks", s.Fallbacks, []string{"CLAUDE.md"}},
		{"base", s.Base, "Be brief."},
		{"tokens", s.MaxOutputTokens, 4096},
		{"source of a quoted key", s.Source(`models."gpt-5.4".effort`), home + "/config.toml:24"},
		{"source in an inline table", s.Source("providers.local.headers.X-Team"), home + "/config.toml:13"},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestAProviderIsChangedKeyByKey(t *testing.T) {
	s := mustLoad(t, "[providers.openai]\nproxy = 'direct'\n")
	if p := s.Providers["openai"]; p.BaseURL != "https://api.openai.com/v1" || p.Proxy != "direct" {
		t.Errorf("got %+v", p)
	}
}

func TestAProviderWithoutAWireSpeaksChat(t *testing.T) {
	s := mustLoad(t, "[providers.x]\nbase_url = 'http://127.0.0.1:1/v1'\n")
	if got := s.Providers["x"].Wire; got != longrein.WireChat {
		t.Errorf("wire = %q", got)
	}
}

func TestOfATextAndAFileWithInstructionsTheLaterIsUsed(t *testing.T) {
	home := t.TempDir()
	write(t, "From the file.\n", home, "base.md")
	write(t, "base_instructions_file = 'base.md'\n", home, "config.toml")
	for name, c := range map[string]struct {
		flags []Flag
		want  string
	}{
		"the file alone":  {nil, "From the file.\n"},
		"the text behind": {[]Flag{{"-c", "base_instructions=Short."}}, "Short."},
	} {
		s, err := Load(Options{Home: home, Cwd: home, Flags: c.flags})
		if err != nil {
			t.Fatal(err)
		}
		if s.Base != c.want {
			t.Errorf("%s: got %q, want %q", name, s.Base, c.want)
		}
	}
}

func TestAByteOrderMarkAndCarriageReturnsAreAccepted(t *testing.T) {
	if s := mustLoad(t, "\uFEFFmodel = 'm'\r\neffort = 'low'\r\n"); s.Model != "m" || s.Effort != "low" {
		t.Errorf("got %q and %q", s.Model, s.Effort)
	}
}

func TestFilesThatCannotBeReadAreProblems(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "config.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	large := t.TempDir()
	write(t, strings.Repeat("#\n", 200<<10), large, "config.toml")
	for home, want := range map[string]string{
		folder: "is not an ordinary file",
		large:  "is larger than 262144 bytes, the limit settings-file",
	} {
		_, err := Load(Options{Home: home, Cwd: t.TempDir()})
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Problems[0].Text, want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func BenchmarkLoadWithoutFiles(b *testing.B) {
	o := Options{Home: b.TempDir(), Cwd: b.TempDir(), Env: os.Environ()}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(o); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadOfAUsualFile(b *testing.B) {
	home := b.TempDir()
	usual := "model = 'm'\nprovider = 'local'\n[providers.local]\nbase_url = 'http://127.0.0.1:8080/v1'\nwire = 'chat'\n[limits]\ntool-output = '32KiB'\n"
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(usual), 0o600); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(Options{Home: home, Cwd: home, Env: os.Environ()}); err != nil {
			b.Fatal(err)
		}
	}
}
