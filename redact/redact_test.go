package redact

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// alnum is n letters and digits that no rule knows, the same each time. Secrets are
// put together here so that no scanner takes this file for a leak.
func alnum(n int) string {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"[r.IntN(57)]
	}
	return string(b)
}

var upper = strings.ToUpper

// hexes returns n hexadecimal digits, letters among them.
func hexes(n int) string { return strings.Repeat("0a1b2c3d4e5f", n/12+1)[:n] }

func TestWellKnownForms(t *testing.T) {
	r := New([]byte("k"), nil)
	for secret, kind := range map[string]string{
		"AKIA" + strings.NewReplacer("8", "A", "9", "B").Replace(upper(alnum(16))): "aws-key-id",
		"ghp_" + alnum(36):                                       "github-token",
		"github_pat_" + alnum(60):                                "github-token",
		"glpat-" + alnum(20):                                     "gitlab-token",
		"sk-ant-api03-" + alnum(40):                              "anthropic-key",
		"sk-or-v1-" + alnum(40):                                  "openrouter-key",
		"sk-proj-" + alnum(40):                                   "openai-key",
		"sk_live_" + alnum(24):                                   "stripe-key",
		"xoxb-" + alnum(24):                                      "slack-token",
		"AIza" + alnum(35):                                       "google-key",
		"npm_" + alnum(36):                                       "npm-token",
		"hf_" + alnum(34):                                        "huggingface-token",
		"AGE-SECRET-KEY-1" + upper(alnum(58)):                    "age-key",
		"ATATT3" + alnum(60):                                     "atlassian-token",
		"dapi" + hexes(32):                                       "databricks-token",
		"dckr_pat_" + alnum(27):                                  "docker-token",
		"figd_" + alnum(40):                                      "figma-token",
		"glsa_" + alnum(32) + "_" + hexes(8):                     "grafana-token",
		"lsv2_pt_" + hexes(32) + "_" + hexes(10):                 "langsmith-key",
		"lin_api_" + alnum(40):                                   "linear-key",
		"ntn_" + alnum(46):                                       "notion-token",
		"nvapi-" + alnum(64):                                     "nvidia-key",
		"pplx-" + alnum(48):                                      "perplexity-key",
		"pul-" + hexes(40):                                       "pulumi-token",
		"r8_" + alnum(37):                                        "replicate-token",
		"shpat_" + hexes(32):                                     "shopify-token",
		"sgp_" + hexes(40):                                       "sourcegraph-token",
		"sq0csp-" + alnum(43):                                    "square-token",
		"sbp_" + hexes(40):                                       "supabase-token",
		"tskey-auth-" + alnum(12) + "-" + alnum(32):              "tailscale-key",
		"tvly-" + alnum(32):                                      "tavily-key",
		"SK" + hexes(32):                                         "twilio-key",
		"xoxe-" + alnum(24):                                      "slack-token",
		"https://x.test/api/webhooks/12345/" + alnum(68):         "discord-webhook",
		"?x=1&sig=" + alnum(43) + "=":                            "signature",
		"SG." + alnum(22) + "." + alnum(43):                      "sendgrid-key",
		"eyJ" + alnum(20) + ".eyJ" + alnum(30) + "." + alnum(43): "json-web-token",
	} {
		for _, around := range []string{"%", "x %\n", `{"a":"%"}`, "key=%&b=1", "(%)"} {
			text := strings.Replace(around, "%", secret, 1)
			got, n := r.Replace(text)
			if strings.Contains(got, secret) || n != 1 || !strings.Contains(got, placeholderStart) {
				t.Errorf("%s in %q: got %q, %d", kind, text, got, n)
			}
		}
		if got := r.Text("x " + secret); !strings.Contains(got, "[redacted:"+kind+":") {
			t.Errorf("got %q, want a %s", got, kind)
		}
	}
}

func TestSecretsByTheirPlace(t *testing.T) {
	v := "q8Zk3vR7tLw2"
	pem := "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + alnum(64) + "\n" + alnum(20) + "==\n-----END RSA PRIVATE KEY-----"
	for text, want := range map[string]string{
		"DB_PASSWORD=" + v + "\nx":                             "DB_PASSWORD=[redacted:db-password:*]\nx",
		"export API_KEY='" + v + "'":                           "export API_KEY='[redacted:api-key:*]'",
		`{"clientSecret": "` + v + `", "b": 1}`:                `{"clientSecret": "[redacted:client-secret:*]", "b": 1}`,
		"token := `" + v + "`":                                 "token := `[redacted:token:*]`",
		"PGPASSWORD=" + v:                                      "PGPASSWORD=[redacted:pgpassword:*]",
		"DB_PASS=" + v:                                         "DB_PASS=[redacted:db-pass:*]",
		`{\"token\": \"` + v + `\"}`:                           `{\"token\": \"[redacted:token:*]\"}`,
		`"{\\\"apiKey\\\":\\\"` + v + `\\\"}"`:                 `"{\\\"apiKey\\\":\\\"[redacted:api-key:*]\\\"}"`,
		"API_KEY=" + v + "\x00LS_COLORS=rs=0(x)\x00":           "API_KEY=[redacted:api-key:*]\x00LS_COLORS=rs=0(x)\x00",
		`password = "` + v + `(1)"`:                            `password = "[redacted:password:*]"`,
		"os.environ['API_TOKEN'] = '" + v + "'":                "os.environ['API_TOKEN'] = '[redacted:api-token:*]'",
		"machine x login y password " + v:                      "machine x login y password [redacted:password:*]",
		"curl --token '" + v + "' x":                           "curl --token '[redacted:token:*]' x",
		"<dbPassword>" + v + "</dbPassword>":                   "<dbPassword>[redacted:password:*]</dbPassword>",
		"Authorization: token " + v + v:                        "Authorization: token [redacted:token:*]",
		"AUTHORIZATION: BEARER " + v + v:                       "AUTHORIZATION: BEARER [redacted:bearer-token:*]",
		"auth.token: " + v:                                     "auth.token: [redacted:auth-token:*]",
		"postgres://bob:" + v + "@db.example/x":                "postgres://bob:[redacted:password:*]@db.example/x",
		"Authorization: Bearer " + v + v:                       "Authorization: Bearer [redacted:bearer-token:*]",
		"a\n" + pem + "\nb":                                    "a\n[redacted:private-key:*]\nb",
		`"key": "` + strings.ReplaceAll(pem, "\n", `\n`) + `"`: `"key": "[redacted:private-key:*]"`,
		"a\n" + pem[:90]:                                       "a\n[redacted:private-key:*]",
	} {
		got := r.mask(text)
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

var r = masker{New(nil, nil)}

type masker struct{ *Redactor }

// mask is Text with a star for the digits.
func (m masker) mask(text string) string {
	parts := strings.Split(m.Text(text), placeholderStart)
	for i, p := range parts[1:] {
		kind, rest, _ := strings.Cut(p, ":")
		_, rest, _ = strings.Cut(rest, "]")
		parts[i+1] = kind + ":*]" + rest
	}
	return strings.Join(parts, placeholderStart)
}

func TestWhatIsNoSecretStays(t *testing.T) {
	for _, text := range []string{
		"max_tokens: 128000", "token_count = 12345678", "TOKEN=$(cat file)", "password: ${DB_PASSWORD}",
		`token := os.Getenv("GITHUB_TOKEN_2")`, "password = getpass.getpass()", "apiKey: settings.ApiKey,",
		"the sk-learn library", "commit 0123456789abcdef0123456789abcdef01234567", "https://example.org/a:b",
		"sha256-" + alnum(43), "PASSWORD_FILE=/run/secrets/db1", "type Token struct", "secret: changeme",
		"-----BEGIN CERTIFICATE-----\n" + alnum(64) + "\n-----END CERTIFICATE-----", "AKIAx", "Bearer token",
		"[redacted:token:0a1b2c3d]", "password=[redacted:password:0a1b2c3d]", "user: a1b2c3d4e5f6a7b8",
		"PWD=/home/a1b2c3d4", "working directory: /a1B2c3", "OLDPWD=/home/a1b2c3d4", "git@github.com:owner/repo.git", "http://[::1]:8080/x@y", "eyJ is how they begin",
		"OPENAI_API_KEY= GROQ_API_KEY= XAI_API_KEY_2=\n", "https://me:${DB_PASS}@h", "https://me:***@h", `Token = "// indirect"`,
		"SIOCGLIFTOKEN = -0x3f879678", "--- PASS: TestKey12Of (0.00s)", `password = "${PASS_1}"`, `password: "{{pass1word}}"`,
		"--token <your-token-1>", "--password string9", "--token $TOKEN_12", "<password>a</password>", "machine learning login page password rules",
	} {
		if got, n := r.Replace(text); n != 0 {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestTheLongestOfTwoThatBeginTogetherIsReplaced(t *testing.T) {
	token := "ghp_" + alnum(36)
	for _, values := range [][]Secret{{{"A", token[:12]}}, {{"A", token[:12]}, {"B", token + "tail"}}, {{"B", token + "tail"}, {"A", token[:12]}}} {
		want := 1
		got, n := New([]byte("k"), values).Replace(token + "tail")
		if n != want || strings.Contains(got, token[12:20]) || !strings.HasSuffix(got, "]") {
			t.Errorf("%v: got %q", values, got)
		}
	}
}

func TestAFormWithinAWordIsNone(t *testing.T) {
	for _, text := range []string{"disk-" + alnum(24), "my_npm_" + alnum(36)} {
		if got := r0.Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestAKeyIsHeldTogetherOverLines(t *testing.T) {
	var out strings.Builder
	w := r0.Writer(&out)
	for _, line := range []string{"before\n", "-----BEGIN PRIVATE KEY-----\n", alnum(64) + "\n", alnum(64) + "\n", "-----END PRIVATE KEY-----\n", "after\n"} {
		if _, err := io.WriteString(w, line); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(out.String(), "\n"); len(got) != 4 || got[0] != "before" || !strings.HasPrefix(got[1], "[redacted:private-key:") || got[2] != "after" {
		t.Errorf("got %q", out.String())
	}
}

var r0 = New([]byte("k"), nil)

func TestTheSameSecretGetsTheSamePlaceholder(t *testing.T) {
	a, b := "ghp_"+alnum(36), "ghp_"+alnum(37)
	first := New([]byte("k"), nil)
	parts := strings.Fields(first.Text(a + " " + b + " " + a))
	if parts[0] != parts[2] || parts[0] == parts[1] {
		t.Errorf("got %v", parts)
	}
	if New([]byte("other"), nil).Text(a) == first.Text(a) {
		t.Error("another key gives the same digits")
	}
}

func TestKnownValuesAreFoundAnywhere(t *testing.T) {
	env := Secrets([]string{"HOME=/root", "MY_TOKEN=x7Kq9wPz2LmN", "MY_TOKENS=12", "SHELL_SECRET=short", "EMPTY_KEY="})
	file := EnvFile("# comment\nexport DB_PASS=\"plain\"\nDB_PASSWORD=hunter22 # old\nNODE_ENV=production\nSALT=9f8e7d6c5b4a3f2e\nURL=http://a/9f8e7d6c5b\n\nbad line\n")
	r := masker{New(nil, append(env, file...))}
	got := r.mask("run x7Kq9wPz2LmN with hunter22 and 9f8e7d6c5b4a3f2e in production, plain")
	want := "run [redacted:my-token:*] with [redacted:db-password:*] and [redacted:salt:*] in production, plain"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// However a text is written, what comes out is the same as of the whole, and it
// holds no secret.
func TestWritingInPiecesIsWritingAtOnce(t *testing.T) {
	secret := "ghp_" + alnum(36)
	pem := "-----BEGIN PRIVATE KEY-----\n" + alnum(64) + "\n" + alnum(64) + "\n-----END PRIVATE KEY-----"
	piece := rapid.SampledFrom([]string{"word ", "\n", secret, pem, "PASSWORD=q8Zk3vR7tLw2\n", "\xff", "=", ":"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "text"), " ") // glued together nobody could tell them apart
		var b strings.Builder
		w := New(nil, nil).Writer(&b)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if _, err := io.WriteString(w, rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), secret) || strings.Contains(b.String(), "-----BEGIN") {
			t.Fatalf("%q became %q", text, b.String())
		}
		if again := New(nil, nil).Text(b.String()); again != b.String() {
			t.Fatalf("redacted once more %q becomes %q", b.String(), again)
		}
	})
}

func TestAWriterThatFailsSaysSo(t *testing.T) {
	w := New(nil, nil).Writer(failing{})
	if _, err := io.WriteString(w, "line\n"); err != iotest.ErrTimeout {
		t.Errorf("got %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, iotest.ErrTimeout }

// The project's own source has no secrets, and none are seen in it.
func TestSourceCodeIsNotTakenForSecrets(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range new(Redactor).find(string(data)) {
			if s.kind != "" {
				t.Errorf("%s: %q is taken for a %s", name, data[s.from:s.to], s.kind)
			}
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("token=a1b2c3d4e5")
	f.Add("-----BEGIN PRIVATE KEY-----")
	f.Add("://a:bcd@")
	f.Fuzz(func(t *testing.T, text string) {
		once := r.Text(text)
		if twice := r.Text(once); twice != once {
			t.Errorf("%q, %q, %q", text, once, twice)
		}
	})
}

func BenchmarkText(b *testing.B) {
	data, err := os.ReadFile("../limit/table.go")
	if err != nil {
		b.Fatal(err)
	}
	text := string(data)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r.Text(text)
	}
}

func TestATextWithAPlaceholderIsKnown(t *testing.T) {
	for text, want := range map[string]bool{
		r.Text("DB_PASSWORD=q8Zk3vR7tLw2"): true,
		"[redacted:…]":                     false,
		"nothing":                          false,
	} {
		if got := r.Holds(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
