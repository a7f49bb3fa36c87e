package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// problems returns what is wrong with a settings file, without the folder.
func problems(t *testing.T, content string) []string {
	t.Helper()
	_, err := load(t, content)
	var e *Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("%T is no *Error", err)
	}
	if e == nil {
		return nil
	}
	var out []string
	for _, p := range e.Problems {
		out = append(out, p.Where[strings.LastIndex(p.Where, "/")+1:]+": "+p.Text)
	}
	return out
}

func TestProblemsOfAFile(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"a slip in a key":                     {"modle = 'x'", `config.toml:1:1: there is no key modle; did you mean "model"?`},
		"a slip in a table":                   {"\n[provider.x]\nwire = 'chat'", "config.toml:2:2: provider: want a string, not a table"},
		"a slip in an unknown table":          {"[limit]\nprompt = 5", `config.toml:1:2: there is no key limit; did you mean "limits"?`},
		"a slip in a nested key":              {"[providers.x]\n  base_ulr = 'y'", `config.toml:2:3: there is no key providers.x.base_ulr; did you mean "base_url"?`},
		"nothing near":                        {"[tools]\nzebra = 1", "config.toml:2:1: there is no key tools.zebra; possible here: network, writable, env_deny or env_keep"},
		"a top-level key below a table":       {"[tools]\nmodel = 'x'", "config.toml:2:1: there is no key tools.model; model belongs above the first [table]"},
		"a wrong type":                        {"max_output_tokens = 'many'", "config.toml:1:1: max_output_tokens: want a number of tokens, not a string"},
		"a number where a text belongs":       {"model = 5", "config.toml:1:1: model: want a string, not an integer"},
		"a value where a table belongs":       {"tools = true", "config.toml:1:1: tools is a table, not a value; it holds network, writable, env_deny or env_keep"},
		"a list of tables":                    {"[[providers]]\nwire = 'chat'", "config.toml:1:3: providers is a table, not a value; it holds NAME"},
		"an unknown word":                     {"approval = 'on-reqest'", `config.toml:1:1: approval: want never, on-request, on-failure or untrusted; did you mean "on-request"?`},
		"an empty name":                       {"model = ' '", "config.toml:1:1: model: want a string that is not empty, on one line"},
		"an unknown limit":                    {"[limits]\ntool_output = 5", `config.toml:2:1: limits.tool_output: there is no such limit (longrein limits lists them); did you mean "tool-output"?`},
		"a limit out of range":                {"[limits]\ntool-output = '1B'", "config.toml:2:1: limits.tool-output: want 1024 to 1048576 (bytes), not 1"},
		"a duration for a size":               {"[limits]\ntool-output = '30s'", `config.toml:2:1: limits.tool-output: want a whole number of bytes, or a size such as "64KiB" or "2MB"`},
		"a size for a duration":               {"[limits]\nprobe = '64KiB'", `config.toml:2:1: limits.probe: want a whole number of milliseconds, or a duration such as "500ms", "30s" or "1m30s"`},
		"a size for a count":                  {"[limits]\nturn-steps = '64KiB'", "config.toml:2:1: limits.turn-steps: want a whole number, not a string"},
		"a policy that there is not":          {"[memory]\npolicy = 'fix'", `config.toml:2:1: memory.policy: want thrifty or fixed; did you mean "fixed"?`},
		"a share that is too small":           {"[memory]\nevery = '0%'", `config.toml:2:1: memory.every: want "1%" to "50%"`},
		"a share that is too large":           {"[memory]\nevery = '51%'", `config.toml:2:1: memory.every: want "1%" to "50%"`},
		"no turns":                            {"[memory]\nevery = '0 turns'", `config.toml:2:1: memory.every: want "1 turns" to "1000 turns"`},
		"a number for a share":                {"[memory]\nevery = 3", `config.toml:2:1: memory.every: want a share of the context window such as "3%", a number of turns such as "5 turns", or "turn", not an integer`},
		"words for a share":                   {"[memory]\nevery = 'often'", `config.toml:2:1: memory.every: want a share of the context window such as "3%", a number of turns such as "5 turns", or "turn"`},
		"a budget that is too large":          {"[memory]\nbudget = 1001", "config.toml:2:1: memory.budget: want 0 to 1000 (percent), not 1001"},
		"a share for a budget":                {"[memory]\nbudget = '25%'", "config.toml:2:1: memory.budget: want a whole number (percent), not a string"},
		"a probe that there is not":           {"[memory]\nprobe = 'none'", "config.toml:2:1: memory.probe: want rules or model"},
		"a key in the file":                   {"[providers.openai]\nkey = 'sk-123'", "config.toml:2:1: providers.openai.key: keys do not belong in settings, which get copied and shared; name where the key is with key_env, key_file or key_command"},
		"a key in place of a variable's name": {"[providers.openai]\nkey_env = 'sk-123'", "config.toml:2:1: providers.openai.key_env: want the name of an environment variable, such as OPENAI_API_KEY; the key itself does not belong in settings"},
		"a key in a header":                   {"[providers.openai.headers]\nAuthorization = 'Bearer sk-123'", "config.toml:2:1: providers.openai.headers.Authorization: keys do not belong in settings, which get copied and shared; name where the key is with key_env, key_file or key_command"},
		"a key in a query":                    {"[providers.openai.query]\nkey = '123'", "config.toml:2:1: providers.openai.query.key: keys do not belong in settings, which get copied and shared; name where the key is with key_env, key_file or key_command"},
		"a password in a URL":                 {"[providers.openai]\nbase_url = 'https://me:secret@host/v1'", "config.toml:2:1: providers.openai.base_url: want a URL such as http://127.0.0.1:8080/v1, without a user or password"},
		"a URL without a scheme":              {"[providers.openai]\nbase_url = 'localhost:8080'", "config.toml:2:1: providers.openai.base_url: want a URL such as http://127.0.0.1:8080/v1, without a user or password"},
		"a proxy of an unknown kind":          {"[providers.openai]\nproxy = 'ftp://me:secret@host'", `config.toml:2:1: providers.openai.proxy: want "direct", or a URL with http, https, socks5 or socks5h, such as socks5h://127.0.0.1:1080`},
		"a list element of the wrong type":    {"[tools]\nwritable = ['/a', 5]", "config.toml:2:1: tools.writable: element 2: want a string, not an integer"},
		"a text for a list":                   {"[tools]\nwritable = '/a'", `config.toml:2:1: tools.writable: want a list such as ["one", "two"], not a string`},
		"a file name with a folder":           {"[agents_md]\nfallbacks = ['../x']", "config.toml:2:1: agents_md.fallbacks: element 1: want a file's name without folders"},
		"a negative price":                    {"[models.m]\ninput_price = -1", "config.toml:2:1: models.m.input_price: want US dollars for a million tokens, 0 or more"},
		"a price that is no number":           {"[models.m]\ninput_price = nan", "config.toml:2:1: models.m.input_price: want US dollars for a million tokens, 0 or more"},
		"a model's name without quotes":       {"[models.gpt-5.4]\neffort = 'low'", `config.toml:1:15: there is no key models.gpt-5.4; possible here: context_window, max_output_tokens, effort, base_instructions, input_price, cached_price, cache_write_price or output_price; a model's name with dots needs quotes: models."gpt-5.4"`},
		"no TOML":                             {"model = ", "config.toml:1:8: toml: expected value, not end of input"},
		"a key twice":                         {"model = 'a'\nmodel = 'b'", "config.toml:2:1: toml: key model is already defined"},
		"a provider without an address":       {"[providers.x]\nwire = 'chat'", "config.toml:2: providers.x needs a base_url"},
		"a provider that is not there":        {"provider = 'opanai'", `config.toml:1: provider: want anthropic, deepseek, llama.cpp, lmstudio, ollama, openai, openrouter, sim or vllm, or a further one made by [providers.NAME] with a base_url; did you mean "openai"?`},
		"instructions that are not there":     {"base_instructions_file = '/nowhere/x.md'", "config.toml:1: the file /nowhere/x.md cannot be read: no such file or directory"},
	} {
		if diff := cmp.Diff([]string{c.want}, problems(t, c.file)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAllProblemsAreToldTogetherAndInOrder(t *testing.T) {
	got := problems(t, "modle = 'x'\nsandbox = 'none'\n[tools]\nnetwork = 1\n[limits]\nprompt = 3\n")
	var places []string
	for _, p := range got {
		places = append(places, strings.SplitN(p, ": ", 2)[0])
	}
	want := []string{"config.toml:1:1", "config.toml:2:1", "config.toml:4:1", "config.toml:6:1"}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

// Whatever key a secret was put under, no message repeats it. The one name that
// is shown is that of a file that cannot be read.
func TestNoProblemShowsAValue(t *testing.T) {
	const secret = "sk-topsecret"
	rapid.Check(t, func(r *rapid.T) {
		path := rapid.SampledFrom(keys).Filter(func(k key) bool { return k.path[0] != "base_instructions_file" }).Draw(r, "key").path
		named := strings.ReplaceAll(strings.Join(path, "."), anyName, "prompt")
		slip := rapid.SampledFrom([]string{"", "x", ".x"}).Draw(r, "slip")
		shape := rapid.SampledFrom([]string{secret, "'" + secret + "'", "['" + secret + "']", "{x = '" + secret + "'}", "'" + secret + "\u0001'"}).Draw(r, "shape")
		for _, p := range problems(t, named+slip+" = "+shape) {
			if strings.Contains(p, secret) {
				r.Errorf("%s", p)
			}
		}
	})
}

func FuzzFile(f *testing.F) {
	f.Add("model = 'x'\n[providers.\"a b\"]\nbase_url = 'http://h'\nheaders = {a='b'}\n[[x]]\ny.z = [1, {a=2}]\n")
	f.Add("limits.tool-output = '64 KiB'\nlimits = {}\n")
	f.Fuzz(func(t *testing.T, content string) {
		first := problems(t, content)
		if diff := cmp.Diff(first, problems(t, content)); diff != "" {
			t.Errorf("the second time it is told otherwise:\n%s", diff)
		}
	})
}
