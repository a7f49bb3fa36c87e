package sim

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

func TestParseScriptSaysWhatIsWrongAndWhere(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"nothing":                     {"", "line 1: the script has no steps"},
		"an unknown word":             {"answer x\nshout y", `line 2: unknown word "shout"`},
		"no answer":                   {"step\ncall a {}", "never answers"},
		"an empty step":               {"step\nstep\ncall a {}", "the step of line 1 has neither call nor answer"},
		"an empty last step":          {"step\ncall a {}\nstep", "the step of line 3 has neither"},
		"a call outside a step":       {"call a {}", "line 1: there is no step yet"},
		"arguments that are no JSON":  {"step\ncall a {", "line 2: the arguments of a are no JSON"},
		"a place that is not closed":  {"answer {{prompt", "has no }}"},
		"a place of another name":     {"answer {{weather}}", "neither a word nor a number"},
		"a bad number":                {"answer {{file 2*}}", "neither a word nor a number"},
		"too much filler":             {"answer {{fill 99999999}}", "limit sim-fill"},
		"a bad pattern":               {"step\ncall a {}\nexpect (", "line 3: error parsing regexp"},
		"a missing pattern":           {"system", "a regular expression is missing"},
		"repeat in repeat":            {"repeat 2\nrepeat 2", "line 2: repeat cannot hold another"},
		"repeat without end":          {"repeat 2\nstep\ncall a {}", "a repeat has no end"},
		"end without repeat":          {"end", "end without repeat"},
		"an empty repeat":             {"repeat 2\nend", "the repeat has no steps"},
		"repeat often":                {"repeat lots", `repeat takes a number from 1 to 1000000, or "for ever"`},
		"steps after for ever":        {"repeat for ever\nstep\ncall a {}\nend\nanswer x", "never reached"},
		"more steps than numbers":     {strings.Repeat("repeat 1000000\nstep\ncall a {}\nend\n", 1001), "more than 1000000000 steps"},
		"when without answer":         {"when x\nstep", "when needs an answer"},
		"when with a call":            {"when x\ncall a {}", "when takes an answer and nothing else"},
		"a text without end":          {"answer <<END\nx", `there is no line "END"`},
		"needles without a number":    {"needles many x", "needles begins with how many"},
		"an unknown policy":           {"on-unknown panic", `on-unknown is "ask again" or "go on"`},
		"a bad fault":                 {"fault explode", "neither a status"},
		"a bad width":                 {"answer {{pad x 1}}", "no number of digits"},
		"a bad base":                  {"like nothing", "there is no simulated model"},
		"a late base":                 {"needle x\nlike echo", "like comes before"},
		"a bad name":                  {"name a b", "a name has letters"},
		"a list that lists itself":    {"files a {\"p\": \"{{file 1}}\"}", "cannot depend on itself"},
		"an empty answer":             {"answer", "an answer has a text"},
		"a call after the answer":     {"step\nanswer x\ncall a {}", "a step that answers cannot call"},
		"a script that is a megabyte": {strings.Repeat("#", 1<<20+1), "limit sim-script"},
	}
	for name, tt := range tests {
		_, err := ParseScript("test", []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "parse script test: ") {
			t.Errorf("%s: error = %v, want %q", name, err, tt.want)
		}
	}
}

func TestNumbersInPlaces(t *testing.T) {
	for text, want := range map[string]int{
		"7": 7, "i": 3, "step": 10, "i+1": 4, "2*i": 6, "6*i-4": 14, "step - i": 7, "1+2*3+4": 11, "i*i*i": 27, "1-2*3-4": -9, "10-step": 0,
	} {
		n, err := parseNumber(text)
		if got := n.value(3, 10); err != nil || got != want {
			t.Errorf("%s = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestPlacesAreFilledFromTheRequest(t *testing.T) {
	tests := map[string]string{
		`{{prompt}}`:                  "read the files in data/x please",
		`{{prompt \bin (\S+)}}`:       "data/x",
		`{{prompt \bfrom (\S+)}}`:     "",
		`{{outputs}}`:                 "2",
		`{{match code (\w+)}}`:        "two",
		`{{matches 5 code (\w+)}}`:    "one, two",
		`{{matches 1 code \w+}}`:      "code one",
		`{{last}}`:                    "code two",
		`{{script}}, step {{step}}`:   "test, step 3",
		`{{fill 12}}`:                 "line 1 of si",
		`{{pad 3 step}}-{{pad 1 12}}`: "003-12",
		`{{ file 1 }}`:                "no-file-was-listed",
		`<<X` + "\n" + `a  b` + "\nX": "a  b",
	}
	for place, want := range tests {
		m := New(Options{Script: mustParse(t, "repeat 2\nstep\ncall a {}\nend\nanswer "+place)})
		c := talk.New(longrein.WireChat, "m", "read the files in data/x please")
		outputs := []string{"code one", "code two"}
		for _, out := range outputs {
			c.Step(t, m, func(longrein.ToolCall) string { return out })
		}
		got, _, _ := strings.Cut(talk.Ask(t, m, c.Request()).Text(), "\n\n(simulated")
		if got != want {
			t.Errorf("%s = %q, want %q", place, got, want)
		}
	}
}

func TestPlacesInArgumentsStayJSON(t *testing.T) {
	m := New(Options{Script: mustParse(t, `step
 call a {"s": "<{{prompt}}>", "n": {{step}}}
answer x`)})
	c := talk.New(longrein.WireResponses, "m", "quote \" backslash \\ newline \n & <html>")
	if got, want := talk.Ask(t, m, c.Request()).Calls()[0].Args, `{"s": "<quote \" backslash \\ newline \n & <html>>", "n": 1}`; got != want {
		t.Errorf("args = %s, want %s", got, want)
	}
}

func TestBuiltinNames(t *testing.T) {
	for _, name := range Builtins() {
		s, err := Builtin("sim:" + name)
		if err != nil || s.Name != name || s.About == "" {
			t.Errorf("Builtin(%q) = %+v, %v", name, s, err)
		}
	}
	if _, err := Builtin("none"); err == nil || !strings.Contains(err.Error(), "demo") {
		t.Errorf("error = %v, want the names there are", err)
	}
}

// A script that parses can be played to any step without a fault of its own.
func FuzzParseScript(f *testing.F) {
	for _, name := range Builtins() {
		text, _ := scripts.ReadFile("scripts/" + name + ".sim")
		f.Add(text)
	}
	f.Add([]byte(everything(f)))
	f.Add([]byte("needles 3 x\nwhen y\nanswer {{needles}}\nrefuse no"))
	f.Add([]byte("like echo\nsummarizer huge 9 times 2\ndecider hang 1s\nforget 10% seed 3\nanswer {{pad 3 2*i}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ParseScript("fuzz", text)
		if err != nil {
			return
		}
		for _, wire := range talk.Wires {
			p := &prompt{wire: wire, model: "m", items: []item{{kind: itemSaid, role: "user", content: []byte(`"go"`)}}}
			for _, at := range []place{{}, {1, 1}, {2, 7}} {
				p.items = append(p.items, item{kind: itemCalled, id: "call_" + s.marker(at) + "_0_x"})
				if r := s.play(p); r.text == "" && len(r.calls) == 0 {
					t.Fatalf("at %v it neither calls nor answers", at)
				}
			}
		}
	})
}
