package check

import (
	"fmt"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/compare"
)

var contextKind = kind{
	name:    "context",
	what:    "no request of the worker's, after step after_step if that is set, has more tokens, or more of the model's window in percent",
	needs:   [][]string{{"most_tokens", "most_percent"}},
	takes:   []string{"after_step"},
	example: "most_tokens = 60_000\nafter_step = 20\n",
	says: func(r Rule) string {
		most := decimal(r.Most) + " tokens"
		if r.Percent {
			most = decimal(r.Most) + "% of the window"
		}
		return "the context stays within " + most + after(r)
	},
	judge: func(r Rule, _ scene) judge { return &contextSize{rule: r} },
}

// after tells from where on a rule counts.
func after(r Rule) string {
	if r.After == 0 {
		return ""
	}
	return fmt.Sprintf(" after step %d", r.After)
}

// contextSize gathers sizes, since the window is known at the end only.
type contextSize struct {
	rule  Rule
	sizes []size
}

type size struct {
	point   compare.Point
	refused bool
}

func (c *contextSize) see(r request) *finding {
	if r.worker() && r.Point.Step > c.rule.After {
		c.sizes = append(c.sizes, size{r.Point, r.Refused})
	}
	return nil
}

func (c *contextSize) end(r *compare.Result) *finding {
	most := c.rule.Most
	if c.rule.Percent {
		if r.Window == 0 {
			return nothing("the model's window is not known; set window")
		}
		most *= float64(r.Window) / 100
	}
	for _, s := range c.sizes {
		if float64(s.point.Tokens) <= most {
			continue
		}
		got := fmt.Sprintf("the request has %s tokens", whole(int64(s.point.Tokens)))
		if c.rule.Percent {
			got += fmt.Sprintf(", %s%% of %s", percent(float64(s.point.Tokens)/float64(r.Window)), whole(int64(r.Window)))
		}
		if s.refused {
			got += ", and was refused as too long"
		}
		return at(s.point, "%s", got)
	}
	return judged(len(c.sizes) > 0, c.rule.After)
}

var costKind = kind{
	name:    "cost",
	what:    "the session, forks' requests included, costs at most so many US dollars by the profile's prices",
	needs:   [][]string{{"most_usd"}},
	example: "most_usd = 0.40\nprofile = \"openai/gpt-5.4\"\n",
	says:    func(r Rule) string { return "the session costs at most " + dollars(r.Most) + " USD" },
	judge:   func(r Rule, s scene) judge { return &cost{most: r.Most, profile: s.profile} },
}

type cost struct {
	most    float64
	profile compare.Profile
	last    compare.Point
}

func (c *cost) see(r request) *finding {
	c.last = r.Point
	if r.Point.Cost <= c.most {
		return nil
	}
	return at(r.Point, "with this step it comes to %.4f USD", r.Point.Cost)
}

func (c *cost) end(r *compare.Result) *finding {
	if c.profile.Price == (longrein.Price{}) {
		return nothing("the profile %s has no price", c.profile.Name)
	}
	if r.Cost <= c.most {
		return nil
	}
	return at(c.last, "with the forks after the last step it comes to %.4f USD", r.Cost)
}

var windowsKind = kind{
	name:    "windows",
	what:    "the session takes at most so many windows, the first one counted",
	needs:   [][]string{{"most_windows"}},
	example: "most_windows = 4\n",
	says:    func(r Rule) string { return "the session takes at most " + count(int(r.Most), "window") },
	judge:   func(r Rule, _ scene) judge { return windows{most: int(r.Most)} },
}

type windows struct {
	seesNothing
	most int
}

func (w windows) end(r *compare.Result) *finding {
	if r.Windows <= w.most {
		return nil
	}
	p := compare.Point{}
	for _, q := range r.Points {
		if p = q; q.Window > w.most {
			break
		}
	}
	return at(p, "it takes %s", count(r.Windows, "window"))
}

var memoryKind = kind{
	name:    "memory-share",
	what:    "the forks, which write summaries and notes, cost at most so much of the session's cost; told is the last step",
	needs:   [][]string{{"most_percent"}},
	example: "most_percent = 15\n",
	says:    func(r Rule) string { return "memory takes at most " + decimal(r.Most) + "% of the cost" },
	judge:   func(r Rule, _ scene) judge { return &memoryShare{most: r.Most} },
}

type memoryShare struct {
	most float64
	last compare.Point
}

func (m *memoryShare) see(r request) *finding {
	m.last = r.Point
	return nil
}

func (m *memoryShare) end(r *compare.Result) *finding {
	if r.Cost == 0 {
		return nothing("by the profile %s nothing has a price", r.Profile.Name)
	}
	if 100*r.ForkCost/r.Cost <= m.most {
		return nil
	}
	return at(m.last, "%s%% over the whole session: %.4f of %.4f USD, for %s",
		percent(r.ForkCost/r.Cost), r.ForkCost, r.Cost, count(r.Requests.Forks, "request"))
}

var stallKind = kind{
	name:    "stall",
	what:    "in the whole session, the worker waits at most so many seconds for nothing but memory",
	needs:   [][]string{{"most_seconds"}},
	example: "most_seconds = 30\n",
	says:    func(r Rule) string { return "the worker waits for memory at most " + decimal(r.Most) + " s" },
	judge:   func(r Rule, _ scene) judge { return &stall{most: r.Most} },
}

type stall struct {
	most   float64
	waited time.Duration
	last   compare.Point
}

func (s *stall) see(r request) *finding {
	s.last = r.Point
	if !r.worker() {
		return nil
	}
	s.waited += r.Point.Stall
	if s.waited.Seconds() <= s.most {
		return nil
	}
	return at(r.Point, "up to this step it has waited %s, just before it %s", span(s.waited), span(r.Point.Stall))
}

func (s *stall) end(r *compare.Result) *finding {
	if r.Stall.Seconds() <= s.most {
		return nil
	}
	return at(s.last, "in all it waits %s, some of it after the last step", span(r.Stall))
}
