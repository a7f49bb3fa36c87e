package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/check"
	"github.com/longrein/longrein/compare"
	"github.com/longrein/longrein/strategy/background"
	"github.com/longrein/longrein/strategy/compact"
	"github.com/longrein/longrein/strategy/pack"
	"github.com/longrein/longrein/strategy/recent"
)

// recording writes the records of a session.
type recording struct {
	records []longrein.Record
	now     time.Time
	set     longrein.Settings
	calls   int
}

func record(tools ...longrein.ToolSpec) *recording {
	r := &recording{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	r.set = longrein.Settings{Provider: "openai", Model: "gpt-5.4", Wire: longrein.WireResponses, ContextWindow: 128_000, Tools: tools}
	r.add(longrein.Thread{ID: "019e0000", Cwd: "/src", Format: longrein.LogFormat, Base: "You are a careful worker."})
	r.add(r.set)
	r.add(longrein.Window{N: 1, Settings: r.set})
	return r
}

func (r *recording) add(b longrein.Body) int64 {
	n := int64(len(r.records) + 1)
	r.now = r.now.Add(100 * time.Millisecond)
	r.records = append(r.records, longrein.Record{Seq: n, Time: r.now, Body: b})
	return n
}

func (r *recording) ask(text string) {
	in := r.add(longrein.Input{Text: text, Mode: longrein.InputSubmit})
	r.add(longrein.Turn{N: 1, State: longrein.TurnStarted})
	r.add(longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: text}}, Input: in})
}

// step is a response that says something and, if there is an output, runs a command.
func (r *recording) step(said, output string) {
	step := r.add(longrein.Asked{Turn: 1, Window: 1})
	item := func(it longrein.Item) { r.add(longrein.Appended{Entry: longrein.Entry{Step: step, Item: it}}) }
	item(longrein.Message{Role: longrein.RoleAssistant, Text: said})
	if output == "" {
		r.add(longrein.Answered{Step: step, Stop: longrein.StopEnd})
		r.add(longrein.Turn{N: 1, State: longrein.TurnEnded})
		return
	}
	r.calls++
	id := fmt.Sprint("c", r.calls)
	item(longrein.ToolCall{ID: id, Name: "exec_command", Args: fmt.Sprintf(`{"command":"cat \"file_%d.go\""}`, r.calls)})
	r.add(longrein.Answered{Step: step, Stop: longrein.StopTools})
	item(longrein.ToolOutput{CallID: id, Text: output, Status: longrein.OutputOK})
}

func (r *recording) session(t testing.TB) *compare.Session {
	t.Helper()
	s, err := compare.Read("019e0000", func(yield func(longrein.Record, error) bool) {
		for _, rec := range r.records {
			if !yield(rec, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var tools = []longrein.ToolSpec{
	{Name: "exec_command", Description: "Run a command.", Schema: []byte(`{"type":"object"}`)},
	{Name: "apply_patch", Description: "Change files.", Schema: []byte(`{"type":"object"}`)},
}

// short is a session of three steps.
func short(t testing.TB) *compare.Session {
	r := record(tools...)
	r.ask("Look around.\nNever touch  the generated files.")
	r.step("I look.", "main.go sk-0123456789abcdefghijklmn")
	r.step("I look closer.", strings.Repeat("port = 10007\n", 600))
	r.step("Done.", "")
	return r.session(t)
}

// long is a session of so many steps with outputs of some thousand tokens each,
// the last word of which needs what the first one said.
func long(t testing.TB, steps int) *compare.Session {
	r := record(tools...)
	r.ask("Go through all modules. Never touch the generated files.")
	r.step("The port is set in zeta_4711.", "the secret_port_51234 is in src/zeta_4711.go\n"+strings.Repeat("text of a file. ", 800))
	for n := range steps - 2 {
		r.step(fmt.Sprintf("Next is module %d.", n), fmt.Sprintf("file_%d\n%s", n, strings.Repeat("text of a file. ", 800)))
	}
	r.step("The port was secret_port_51234, in src/zeta_4711.go. I did not touch the generated files.", "")
	return r.session(t)
}

// options replays under a strategy's defaults.
func options(t testing.TB, s *compare.Session) func(check.Setup) (compare.Options, error) {
	return func(setup check.Setup) (compare.Options, error) {
		o := compare.Options{Window: setup.Window, Profile: compare.ProfileOf(s.Settings, nil)}
		switch setup.Strategy {
		case "background":
			o.Strategy = background.New(background.Options{Folder: "/notes"})
		case "compact":
			o.Strategy = compact.New(compact.Options{Folder: "/notes"})
		case "pack":
			o.Strategy = pack.New(pack.Options{Folder: "/notes"})
		default:
			o.Strategy = recent.Strategy{}
		}
		if setup.Profile == "" {
			return o, nil
		}
		var err error
		o.Profile, err = compare.ParseProfile(setup.Profile, nil)
		return o, err
	}
}

func parse(t testing.TB, text string) *check.Policy {
	t.Helper()
	p, err := check.Parse("policy.toml", []byte(text), []string{"recent", "background", "compact", "pack"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func judge(t testing.TB, s *compare.Session, policy string) *check.Report {
	t.Helper()
	r, err := parse(t, policy).Check(t.Context(), s, options(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const small = "[policy]\nwindow = 20_000\nstrategy = 'recent'\n"

func TestRules(t *testing.T) {
	one, many := short(t), long(t, 40)
	moved := record(tools...)
	moved.ask("Go.")
	moved.step("I look.", "main.go")
	moved.set.Tools = []longrein.ToolSpec{tools[1], tools[0]}
	moved.add(longrein.Window{N: 2, Settings: moved.set})
	moved.step("Done.", "")
	untold := record()
	untold.ask("Go.")
	untold.step("Done.", "")
	paused := record(tools...)
	paused.ask("Go.")
	paused.step("I look.", strings.Repeat("text of a file. ", 2_000))
	paused.step("Done.", "")
	paused.now = paused.now.Add(time.Hour)
	paused.ask("Go on.")
	paused.step("Done again.", "")

	for name, c := range map[string]struct {
		session *compare.Session
		policy  string
		want    string // "held", "skipped …", or "STEP: got"; a step of 0 is the whole session
	}{
		"a text survives where there is one window": {one, "[[rule]]\nkind='survives'\ntext='Never touch the generated files.'", "held"},
		"a text may be in the base instructions":    {many, small + "[[rule]]\nkind='survives'\ntext='You are a careful worker.'", "held"},
		"a text in a call's arguments":              {one, "[[rule]]\nkind='survives'\ntext='cat \"file_1.go\"'", "held"},
		"a text is dropped":                         {many, small + "[[rule]]\nkind='survives'\ntext='The port is set in zeta_4711.'", "6: the requests of steps 2 to 5 show it, and this one does not; window 2 begins with this step: the window is full"},
		"a text that is nowhere":                    {one, "[[rule]]\nkind='survives'\ntext='never'", "0: nothing to judge by: no request shows the text"},
		"a text that is nowhere may be optional":    {one, "[[rule]]\nkind='survives'\ntext='never'\noptional=true", "skipped no request shows the text"},
		"a text has too few windows to survive":     {one, "[[rule]]\nkind='survives'\ntext='Never touch the generated files.'\nfor_windows=2", "0: nothing to judge by: after step 1, which shows the text first, there is 0 new windows"},
		"a text survives the windows it has to":     {many, "[policy]\nwindow=30_000\nstrategy='background'\n[[rule]]\nkind='survives'\ntext='Never touch the generated files.'\nfor_windows=2", "held"},
		"a pattern never matches":                   {one, "[[rule]]\nkind='never'\npattern='AKIA'", "held"},
		"a pattern matches":                         {one, "[[rule]]\nkind='never'\npattern='sk-[a-z0-9]{20}'", "2: the output of a call matches: 23 bytes from byte 8 on (not shown, it may be a secret)"},
		"a pattern always matches":                  {many, small + "[[rule]]\nkind='always'\npattern='careful'", "held"},
		"a pattern stops to match":                  {many, small + "[[rule]]\nkind='always'\npattern='Next is module 0'\nafter_step=2", "6: of the"},
		"a pattern does not match before":           {one, "[[rule]]\nkind='always'\npattern='port'\nafter_step=2", "held"},
		"no step is left":                           {one, "[[rule]]\nkind='always'\npattern='port'\nafter_step=3", "0: nothing to judge by: the session has no step after 3"},
		"the tools stay":                            {many, small + "[[rule]]\nkind='same-tools'", "held"},
		"the tools moved between recorded windows":  {moved.session(t), "[[rule]]\nkind='same-tools'", "2: window 2 of the recording declares other tools: the order is another: apply_patch stands in place 1, where exec_command was"},
		"the tools may move with a window":          {moved.session(t), "[[rule]]\nkind='same-tools'\nwithin='window'", "held"},
		"no tools are known":                        {untold.session(t), "[[rule]]\nkind='same-tools'", "0: nothing to judge by: neither the recording"},
		"the context is small enough":               {one, "[[rule]]\nkind='context'\nmost_tokens=20_000", "held"},
		"the context is too large":                  {one, "[[rule]]\nkind='context'\nmost_tokens=1_000", "3: the request has"},
		"the context is too large of the window":    {one, "[[rule]]\nkind='context'\nmost_percent=1\nwindow=100_000", "3: the request has"},
		"the context is too large before it counts": {many, small + "[[rule]]\nkind='context'\nmost_tokens=9_000\nafter_step=40", "0: nothing to judge by"},
		"the cache never breaks":                    {many, small + "[[rule]]\nkind='no-cache-break'", "held"},
		"the cache has expired":                     {paused.session(t), "[[rule]]\nkind='no-cache-break'", "3: the request before had"},
		"the cache may have expired":                {paused.session(t), "[[rule]]\nkind='no-cache-break'\nallow_expired=true", "held"},
		"it is cheap enough":                        {one, "[[rule]]\nkind='cost'\nmost_usd=1", "held"},
		"it costs too much":                         {many, small + "[[rule]]\nkind='cost'\nmost_usd=0.2", "with this step it comes to 0.2"},
		"a rule has a profile of its own":           {many, small + "[[rule]]\nkind='cost'\nmost_usd=0.2\nprofile='deepseek'", "held"},
		"a provider without a price":                {one, "[[rule]]\nkind='cost'\nmost_usd=1\nprofile='none'", "0: nothing to judge by: the profile none has no price"},
		"enough comes from the cache":               {many, small + "[[rule]]\nkind='cache-hits'\nleast_percent=10", "held"},
		"too little comes from the cache":           {many, small + "[[rule]]\nkind='cache-hits'\nleast_percent=99.9", "%"},
		"a provider without a cache":                {one, "[[rule]]\nkind='cache-hits'\nleast_percent=10\nprofile='none'", "0: nothing to judge by: the profile none has no cache"},
		"few enough windows":                        {one, "[[rule]]\nkind='windows'\nmost_windows=1", "held"},
		"too many windows":                          {many, small + "[[rule]]\nkind='windows'\nmost_windows=2", "it takes"},
		"memory takes little":                       {many, small + "[[rule]]\nkind='memory-share'\nmost_percent=0", "held"},
		"memory takes too much":                     {many, "[policy]\nwindow=30_000\nstrategy='background'\n[[rule]]\nkind='memory-share'\nmost_percent=1", "40: "},
		"the worker does not wait":                  {many, small + "[[rule]]\nkind='stall'\nmost_seconds=0", "held"},
		"the worker waits too long":                 {many, "[policy]\nwindow=30_000\nstrategy='compact'\n[[rule]]\nkind='stall'\nmost_seconds=0.5", "up to this step it has waited"},
		"what is used can be seen":                  {long(t, 14), "[[rule]]\nkind='retention'\nleast_percent=100\nseen='verbatim'", "held"},
		"what is used is lost":                      {many, small + "[[rule]]\nkind='retention'\nleast_percent=90", "40: 33.3%: 1 of 3; this step is the first: it uses the identifier"},
		"what is used is lost, by kind":             {many, small + "[[rule]]\nkind='retention'\nleast_percent=90\nof='paths'", "40: 0.0%: 0 of 1; this step is the first: it uses the path \"src/zeta_4711.go\", which could be seen not at all"},
		"nothing is used":                           {one, "[[rule]]\nkind='retention'\nleast_percent=90", "0: nothing to judge by: no step uses"},
		"a replay that cannot come to its end":      {many, "[policy]\nwindow=300\n[[rule]]\nkind='windows'\nmost_windows=9999", "it held up to step"},
	} {
		t.Run(name, func(t *testing.T) {
			v := judge(t, c.session, c.policy).Verdicts[0]
			got := string(v.State)
			switch v.State {
			case check.Failed:
				got = fmt.Sprintf("%d: %s", v.Failure.Step, v.Failure.Got)
			case check.Skipped:
				got += " " + v.Note
			}
			if !strings.Contains(got, c.want) || c.want == "held" && got != "held" {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTheSameCheckSaysTheSame(t *testing.T) {
	policy := "[policy]\nwindow = 30_000\nstrategy = 'background'\n"
	for _, k := range check.Kinds() {
		policy += k.Example
	}
	a, b := judge(t, long(t, 40), policy), judge(t, long(t, 40), policy)
	if !slices.EqualFunc(a.Verdicts, b.Verdicts, func(a, b check.Verdict) bool {
		return a.State == b.State && fmt.Sprint(a.Failure) == fmt.Sprint(b.Failure) || a.Failure != nil && *a.Failure == *b.Failure
	}) {
		t.Errorf("%+v\n%+v", a, b)
	}
}

func TestFlagsTakeThePlaceOfThePolicy(t *testing.T) {
	p := parse(t, small+"[[rule]]\nkind='windows'\nmost_windows=1\n[[rule]]\nkind='stall'\nmost_seconds=1\nstrategy='pack'")
	p.Under(check.Setup{Strategy: "background", Window: 64_000, Profile: "openai"})
	for _, r := range p.Rules {
		if r.Setup != (check.Setup{Strategy: "background", Window: 64_000, Profile: "openai"}) {
			t.Errorf("%s: %+v", r.Name, r.Setup)
		}
	}
}
