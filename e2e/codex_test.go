//go:build unix

package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// codexVersion is the release of Codex that the test runs.
const codexVersion = "0.171.0"

// TestCodexGoesOnWithAnExport exports a thread, has the real Codex resume it
// against the simulated model, and looks at what it asks: all that was said, called
// and returned in the thread, in its order.
func TestCodexGoesOnWithAnExport(t *testing.T) {
	if testing.Short() {
		t.Skip("installs and runs Codex")
	}
	codex := installCodex(t)
	for name, window := range map[string]int{"one window": 1_000_000, "windows that were begun anew": small} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, options{wire: "responses", window: window})
			p.exec().succeed()
			home := t.TempDir()
			id := p.exportToCodex(home)
			asked := recording(t, p, home)
			out := runCodex(t, codex, home, p.dir, "exec", "resume", "--skip-git-repo-check", id, "and now in short")
			if !strings.Contains(out, "and now in short") {
				t.Errorf("Codex printed %q, want the echo of the prompt", out)
			}
			checkAsked(t, p.seen(), asked())
		})
	}
}

// installCodex returns the program. It is kept for the next time.
func installCodex(t *testing.T) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed, so the real Codex cannot be had")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("there is no folder to keep Codex in: ", err)
	}
	dir := filepath.Join(cache, "longrein-test", "codex-"+codexVersion)
	bin := filepath.Join(dir, "node_modules", ".bin", "codex")
	if exec.Command(bin, "--version").Run() == nil {
		return bin
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Skip("there is no folder to keep Codex in: ", err)
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	install := exec.CommandContext(ctx, npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "@openai/codex@"+codexVersion)
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install Codex here: %v\n%s", err, out)
	}
	if out, err := exec.Command(bin, "--version").CombinedOutput(); err != nil {
		t.Skipf("Codex does not run on this machine: %v\n%s", err, out)
	}
	return bin
}

// exportToCodex puts the thread among the ones of Codex, and returns its id there.
func (p *place) exportToCodex(home string) string {
	p.t.Helper()
	day := filepath.Join(home, "sessions", "2026", "01", "02")
	if err := os.MkdirAll(day, 0o700); err != nil {
		p.t.Fatal(err)
	}
	made := filepath.Join(day, "made.jsonl")
	p.start("export", "", "--format", "codex", "-o", made).succeed()
	file, err := os.ReadFile(made)
	if err != nil {
		p.t.Fatal(err)
	}
	var head struct {
		Payload struct{ ID string }
	}
	first, _, _ := bytes.Cut(file, []byte("\n"))
	if err := json.Unmarshal(first, &head); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Rename(made, filepath.Join(day, "rollout-2026-01-02T03-04-05-"+head.Payload.ID+".jsonl")); err != nil {
		p.t.Fatal(err)
	}
	return head.Payload.ID
}

// recording points Codex to the simulated model, through a proxy that keeps what
// was asked. The last request is what it returns.
func recording(t *testing.T, p *place, home string) func() []byte {
	t.Helper()
	to, err := url.Parse(p.sim.url)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var last []byte
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/responses") {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			mu.Lock()
			last = body
			mu.Unlock()
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p.write(filepath.Join(home, "config.toml"), fmt.Sprintf(`
model = "sim:echo"
model_provider = "here"
[model_providers.here]
name = "here"
base_url = "%s/v1"
wire_api = "responses"
`, server.URL))
	return func() []byte {
		mu.Lock()
		defer mu.Unlock()
		return last
	}
}

func runCodex(t *testing.T, bin, home, dir string, args ...string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CODEX_HOME=" + home, "TMPDIR=" + t.TempDir()}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("codex %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// seen are the texts that the model would see of the thread with its next request,
// in order: messages, arguments and outputs. What the harness put in is left out.
func (p *place) seen() []string {
	p.t.Helper()
	show := p.start("export", "", "--format", "jsonl")
	show.succeed()
	var texts []string
	for _, line := range show.lines {
		var r struct {
			Type    string
			Payload struct {
				Head []struct{ Item anItem }
				N    int
				Item anItem
			}
		}
		if err := json.Unmarshal(line, &r); err != nil {
			p.t.Fatal(err)
		}
		switch r.Type {
		case "window":
			texts = nil
			for _, e := range r.Payload.Head {
				texts = append(texts, e.Item.texts()...)
			}
		case "item":
			texts = append(texts, r.Payload.Item.texts()...)
		}
	}
	return texts
}

// anItem is an item of ours, as far as it is compared.
type anItem struct{ Kind, Text, Args string }

func (i anItem) texts() []string {
	switch i.Kind {
	case "message", "tool_output":
		return []string{i.Text}
	case "tool_call":
		return []string{i.Args}
	}
	return nil
}

// checkAsked checks that a request has the texts in order.
func checkAsked(t *testing.T, want []string, body []byte) {
	t.Helper()
	var request struct {
		Input []struct {
			Content   []struct{ Text string }
			Arguments string
			Output    json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &request); err != nil {
		t.Fatalf("Codex asked %.200q: %v", body, err)
	}
	var got []string
	for _, in := range request.Input {
		var output string
		_ = json.Unmarshal(in.Output, &output) // lists of parts are none of ours
		got = append(got, in.Arguments, output)
		for _, c := range in.Content {
			got = append(got, c.Text)
		}
	}
	for n, text := range want {
		at := slices.Index(got, text)
		if at < 0 {
			t.Fatalf("text %d of %d, %.100q, is not in what Codex asked, or not in its place", n+1, len(want), text)
		}
		got = got[at+1:]
	}
	if len(want) < 5 {
		t.Errorf("the thread has only %d texts to compare", len(want))
	}
}
