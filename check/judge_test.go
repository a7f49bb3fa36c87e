package check

import (
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/compare"
)

// watched judges one rule by moments that are made up, for what no replay does.
func watched(t *testing.T, policy string, moments ...compare.Moment) *finding {
	t.Helper()
	p, err := Parse("policy.toml", []byte(policy), nil)
	if err != nil {
		t.Fatal(err)
	}
	profile, err := compare.ParseProfile("openai", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &compare.Session{}
	one := &trial{rule: p.Rules[0], judge: find(p.Rules[0].Kind).judge(p.Rules[0], scene{s, profile})}
	r := run{session: s, trials: []*trial{one}}
	for _, m := range moments {
		r.watch(m)
	}
	if one.found != nil {
		return one.found
	}
	return one.judge.end(&compare.Result{Windows: 1})
}

// moment is a request of the worker's with that body and these texts.
func moment(step, window int, body string, texts ...string) compare.Moment {
	m := compare.Moment{
		Point:   compare.Point{Step: step, Window: window, Tokens: 2_000, Cached: 1_900, At: time.Duration(step) * time.Second},
		Request: longrein.Request{Body: []byte(body)},
	}
	for _, text := range texts {
		m.Entries = append(m.Entries, longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: text}})
	}
	return m
}

func fork(body string, texts ...string) compare.Moment {
	m := moment(0, 0, body, texts...)
	m.Point, m.Fork = compare.Point{}, "summarizer-1"
	return m
}

func refused(m compare.Moment) compare.Moment {
	m.Refused, m.Point.Tokens = true, 90_000
	return m
}

const (
	plainTools = `{"model":"m","tools":[{"name":"a","description":"x"},{"name":"b"}],"input":[1`
	chatTools  = `{"model":"m","tools":[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b"}}],"messages":[1`
)

func TestJudges(t *testing.T) {
	const (
		survives = "[[rule]]\nkind='survives'\ntext='keep it'\n"
		tools    = "[[rule]]\nkind='same-tools'\n"
		grows    = "[[rule]]\nkind='no-cache-break'\n"
		never    = "[[rule]]\nkind='never'\npattern='s[e]cret'\n"
	)
	for name, c := range map[string]struct {
		policy  string
		moments []compare.Moment
		want    string // empty: it holds
		step    int
	}{
		"a text that is broken over lines": {
			survives, []compare.Moment{moment(1, 1, "", "do\tkeep\n it"), moment(2, 2, "", "now keep   it")}, "", 0,
		},
		"a text that appears later": {
			survives, []compare.Moment{moment(1, 1, "", "x"), moment(2, 1, "", "x", "keep it"), moment(3, 1, "", "x", "keep it", "y")}, "", 0,
		},
		"a text that a fork alone lacks": {
			survives, []compare.Moment{moment(1, 1, "", "keep it"), fork("", "x")}, "", 0,
		},
		"a text that is gone after the windows that count": {
			survives + "for_windows=1", []compare.Moment{moment(1, 1, "", "keep it"), moment(2, 2, "", "keep it"), moment(3, 3, "", "x")}, "", 0,
		},
		"a text that is gone in the last window that counts": {
			survives + "for_windows=2",
			[]compare.Moment{moment(1, 1, "", "keep it"), moment(2, 2, "", "keep it"), moment(3, 3, "", "x")},
			"the requests of steps 1 to 2 show it, and this one does not", 3,
		},
		"a fork shows a secret": {
			never,
			[]compare.Moment{moment(1, 1, "", "x"), fork("", "x", "a secret")},
			"what the user said in the request of summarizer-1, made after this step's, matches: 6 bytes from byte 2 on", 1,
		},
		"the order of tools changes": {
			tools,
			[]compare.Moment{moment(1, 1, plainTools), moment(2, 2, strings.NewReplacer(`"a"`, `"b"`, `"b"`, `"a"`, `,"description":"x"`, "").Replace(plainTools))},
			"a has another description or schema", 2,
		},
		"the order of tools changes, and nothing else": {
			tools,
			[]compare.Moment{moment(1, 1, chatTools), moment(2, 2, strings.NewReplacer(`"a"`, `"b"`, `"b"`, `"a"`).Replace(chatTools))},
			"the order is another: b stands in place 1, where a was", 2,
		},
		"a tool is new, and one is gone": {
			tools,
			[]compare.Moment{moment(1, 1, chatTools), moment(2, 1, strings.Replace(chatTools, `"b"`, `"c"`, 1))},
			"c is new; b is gone", 2,
		},
		"a fork declares other tools": {
			tools, []compare.Moment{moment(1, 1, chatTools), fork(`{"model":"m","input":[1`)}, "a is gone; b is gone", 1,
		},
		"a call's arguments are no declaration": {
			tools, []compare.Moment{moment(1, 1, `{"messages":[1`), moment(2, 1, `{"messages":[1,{"input":{"tools":[3]}}`), moment(3, 1, plainTools)}, "a is new; b is new", 3,
		},
		"tools change with a window where that is allowed": {
			tools + "within='window'", []compare.Moment{moment(1, 1, chatTools), moment(2, 2, plainTools)}, "", 0,
		},
		"tools change inside a window": {
			tools + "within='window'", []compare.Moment{moment(1, 1, chatTools), moment(2, 1, plainTools)}, "a has another description or schema", 2,
		},
		"tools stay while the text grows": {
			tools, []compare.Moment{moment(1, 1, plainTools+"]}"), moment(2, 1, plainTools+`,{"tools":[]}]}`)}, "", 0,
		},
		"a request grows, and its marks move": {
			grows, []compare.Moment{moment(1, 1, `[1,2,"cache_control":{"type":"ephemeral"}]}`), moment(2, 1, `[1,2,3,"cache_control":{"type":"ephemeral"}]}`)}, "", 0,
		},
		"a request does not grow": {
			grows, []compare.Moment{moment(1, 1, "[1,2]}"), moment(2, 1, "[1,3]}")}, "from byte 3 on this request is not the one before, which has 4 bytes", 2,
		},
		"a window begins anew": {
			grows, []compare.Moment{moment(1, 1, "[1,2]}"), moment(2, 2, "[1,3]}")}, "", 0,
		},
		"a request is refused as too long": {
			"[[rule]]\nkind='context'\nmost_tokens=5_000\n",
			[]compare.Moment{moment(1, 1, ""), refused(moment(2, 1, "")), moment(2, 2, "")},
			"the request has 90,000 tokens, and was refused as too long", 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := watched(t, c.policy, c.moments...)
			switch {
			case f == nil && c.want == "":
			case f == nil || c.want == "":
				t.Errorf("found %+v, want %q", f, c.want)
			case !strings.HasPrefix(f.got, c.want) || f.at.Step != c.step || f.empty:
				t.Errorf("step %d: %s; want step %d: %s", f.at.Step, f.got, c.step, c.want)
			}
		})
	}
}

func TestWhatMayBeAKeyIsNotShownWhole(t *testing.T) {
	key := "sk_" + strings.Repeat("0123456789", 4)
	for _, k := range []compare.Kind{compare.Identifiers, compare.Errors} {
		if got := one(compare.Use{Kind: k, Value: key}); strings.Contains(got, "0123456789") {
			t.Errorf("%s: %s", k, got)
		}
	}
}
