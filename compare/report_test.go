package compare

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/internal/testkit"
)

// results are two that a report is made of.
func results() []*Result {
	first := &Result{
		Session: "<demo> & co.jsonl", Tool: "longrein", Turns: 2, Strategy: "background", Window: 128_000, Steps: 1_200, Recorded: 1_200,
		Profile:  Profile{Name: "openai/gpt-5.4", Cache: Cache{Block: 128, Life: 5 * time.Minute}, Price: longrein.Price{Input: 1}},
		Requests: Requests{Worker: 1_200, Forks: 14}, Usage: longrein.Usage{Input: 1_234_567, Cached: 1_200_000, Output: 4_321},
		Uncached: 34_567, HitShare: 0.972, Cost: 1.25, ForkCost: 0.25, Windows: 3, Peak: 101_000, Time: 95 * time.Minute, Stall: 90 * time.Second,
		Answers: []Count{{Extractive, 13}, {Recorded, 1}}, Limits: []LimitCut{{Name: "window-carried", Times: 2, Cut: 900, Unit: "tokens"}},
		Estimate: Estimate{Reported: 1_200, Scale: 1.08}, Inserted: 3,
		Resets: []Began{{Step: 400, Window: 2, Why: "decider-3: <most> is done with"}, {Step: 800, Window: 3, Why: "the window is full"}},
	}
	for k := range Kinds {
		first.Retention = append(first.Retention, Retained{Kind: k.String(), Uses: 10, Verbatim: 5, Summary: 3, Reference: 1, Lost: 1})
	}
	for n := range first.Recorded {
		first.Points = append(first.Points, Point{Step: n + 1, Window: 1 + n/400, Tokens: 10_000 + 220*(n%400), Cost: float64(n) / 960})
	}
	second := *first
	second.Strategy, second.Cost, second.Answers, second.Resets = "recent", 0.9, nil, nil
	second.Failed = "the turn ended before step 3 of 9: the context does not fit"
	return []*Result{first, &second}
}

func TestTheTextIsAligned(t *testing.T) {
	var b bytes.Buffer
	if err := WriteText(&b, results()); err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, "report.txt", b.Bytes())
	if err := WriteText(&b, nil); err != nil {
		t.Error(err)
	}
}

func TestThePageIsOneFileThatNeedsNothingElse(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, [][]*Result{results(), results()}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		"&lt;demo&gt; &amp; co.jsonl", "&lt;most&gt; is done with", `class="reset k0"`, "prefers-color-scheme: dark",
		`<th scope="row"`, `role="img"`, "the model&#39;s window", "1,234,567", `href="#s2"`, "did not come to the end",
	} {
		if !strings.Contains(strings.ReplaceAll(got, "the model's window", "the model&#39;s window"), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"http://", "https://", "<script", "src=", "url(", "ZgotmplZ", "NaN", "%!"} {
		if strings.Contains(got, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	wellFormed(t, got)
	if len(got) > 200_000 {
		t.Errorf("a page of %d bytes", len(got))
	}
}

// wellFormed fails when an element is not closed where it should be.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(strings.Replace(page, "<!doctype html>", "", 1)))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta"}, xml.HTMLEntity
	var open []string
	for {
		tok, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if tok.Name.Local != "meta" {
				open = append(open, tok.Name.Local)
			}
		case xml.EndElement:
			n := len(open) - 1
			if n < 0 || open[n] != tok.Name.Local {
				t.Fatalf("</%s> in %v", tok.Name.Local, open)
			}
			open = open[:n]
		}
	}
	if len(open) > 0 {
		t.Errorf("%v are not closed", open)
	}
}

func TestNoResetIsLostBetweenColumns(t *testing.T) {
	r := results()[0]
	c := newChart("x", []*Result{r}, 100_000, short)
	path := c.curve(0, r, func(p Point) float64 { return float64(p.Tokens) }).Path
	low := 0
	for _, at := range strings.Split(path[1:], "L") {
		if strings.HasSuffix(at, "235.2") { // 10,000 of 100,000 tokens
			low++
		}
	}
	if low != 3 {
		t.Errorf("the curve is at its lowest %d times, want 3", low)
	}
}

func TestProfilesAreNamed(t *testing.T) {
	for name, want := range map[string]string{
		"openai": "openai/gpt-5.4", "anthropic": "anthropic/claude-sonnet-5", "openai/gpt-5.4": "openai/gpt-5.4", "none": "none",
	} {
		p, err := ParseProfile(name, nil)
		if err != nil || p.Name != want || name != "none" && (p.Price == zero || p.Window == 0) {
			t.Errorf("%s is %+v, %v", name, p, err)
		}
	}
	for _, name := range []string{"", "nobody", "openai/no-such-model", "/x"} {
		if _, err := ParseProfile(name, nil); err == nil || !strings.Contains(err.Error(), "openai") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestTheProfileIsThatOfTheRecording(t *testing.T) {
	for name, c := range map[string]struct {
		set    longrein.Settings
		want   string
		marked bool
	}{
		"as named":                {longrein.Settings{Provider: "anthropic", Model: "claude-sonnet-5"}, "anthropic/claude-sonnet-5", true},
		"by its model":            {longrein.Settings{Provider: "proxy", Model: "claude-sonnet-5"}, "anthropic/claude-sonnet-5", true},
		"nobody knows":            {longrein.Settings{Provider: "proxy", Model: "secret"}, "openai/gpt-5.4", false},
		"with a price of its own": {longrein.Settings{Provider: "mine", Model: "secret", Price: longrein.Price{Input: 3}}, "mine/secret", false},
	} {
		p := ProfileOf(c.set, nil)
		if p.Name != c.want || p.Cache.Marked != c.marked || c.set.Price.Input > 0 && p.Price != c.set.Price {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// Who reads the JSON goes over its lists and does not ask first whether they are.
func TestListsAreNeverNull(t *testing.T) {
	s := newScript()
	s.ask("go")
	s.end("done")
	for _, window := range []int{0, 1} { // with no request that is taken, too
		r, err := Replay(t.Context(), s.session(t), Options{Strategy: strategies["recent"](), Profile: profile(t, "openai"), Window: window})
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(r)
		if err != nil || bytes.Contains(line, []byte("null")) {
			t.Errorf("with a window of %d: %v\n%s", window, err, line)
		}
	}
}
