package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/memory"
	"github.com/longrein/longrein/provider/sim"
)

// prices are those of the peers' measurements: US dollars for a million tokens.
var prices = longrein.Price{Input: 3, Cached: 0.3, CacheWrite: 3, Output: 15}

func hash(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// account is what came of a run.
type account struct {
	worker, forks tally
	windows       int
	resets        int // that carried notes on
	found, facts  int // in the answer, of all
	// kept are the facts in notes or head after each reset, and shown those of
	// them that had been in the context before.
	kept, shown              []int
	trail, trails            int // changed files, failing commands and open steps in a head or the ledger, of those that had been met by then, over all resets
	summaries                int
	refused                  int             // requests
	rewrites                 int             // the worker's prefix was sent before and not in the cache
	stall, took              time.Duration   // between an answer and the next request, tools included; all of it
	swaps, steps             []time.Duration // from the last output to the next request
	probes, passed, repaired int
	share                    float64 // the least that a fork read of what it shares
}

// tally sums requests.
type tally struct {
	requests              int
	input, cached, output int64
}

func (t *tally) add(u longrein.Usage) {
	t.requests++
	t.input += u.Input
	t.cached += u.Cached
	t.output += u.Output
}

func (t tally) cost() float64 {
	return prices.Cost(longrein.Usage{Input: t.input, Cached: t.cached, Output: t.output})
}

func (t tally) inputCost() float64 {
	return prices.Cost(longrein.Usage{Input: t.input, Cached: t.cached})
}

func percent(a, b int64) float64 { return 100 * float64(a) / float64(max(b, 1)) }

// account adds a run up, from what the model saw and from the log.
func (p *played) account(tb testing.TB) account {
	tb.Helper()
	a := account{facts: len(p.task.Facts), share: 1}
	for _, s := range p.shares {
		a.share = min(a.share, s)
	}
	for _, s := range p.seen {
		switch {
		case s.Error != "":
			a.refused++
		case s.Role != "":
			a.forks.add(s.Usage)
			if s.Role != longrein.RoleDecider {
				a.summaries++
			}
		default:
			a.worker.add(s.Usage)
		}
	}
	l := &reader{account: &a, p: p, windows: map[string]int{}, after: map[string]time.Time{}}
	for rec, err := range p.h.Store().Read(p.thread) {
		if err != nil {
			tb.Fatal(err)
		}
		l.read(rec)
	}
	l.requests()
	return a
}

// reader reads the log for an account.
type reader struct {
	*account
	p       *played
	context strings.Builder // all that the worker was ever shown
	notes   memory.Notes
	output  time.Time            // of the newest tool output
	windows map[string]int       // of the worker's requests, by hash
	after   map[string]time.Time // the newest output before them
}

func (l *reader) read(rec longrein.Record) {
	switch b := rec.Body.(type) {
	case longrein.Notes:
		l.notes = l.notes.With(b)
	case longrein.Reset:
		l.probes, l.passed, l.repaired = l.probes+b.Probes, l.passed+b.Passed, l.repaired+len(b.Repaired)
	case longrein.Asked:
		l.windows[b.Hash], l.after[b.Hash] = b.Window, l.output
	case longrein.Window:
		l.window(b)
	case longrein.Appended:
		l.item(rec.Time, b.Item)
	}
}

func (l *reader) item(at time.Time, it longrein.Item) {
	fmt.Fprintln(&l.context, it)
	switch it := it.(type) {
	case longrein.Message:
		if it.Role == longrein.RoleAssistant {
			l.found = len(l.p.task.Found(it.Text))
		}
	case longrein.ToolOutput:
		l.output = at
	}
}

// window compares what a new window has with what there was.
func (l *reader) window(w longrein.Window) {
	l.account.windows = w.N
	if w.N == 1 {
		return
	}
	l.resets++
	head, was := fmt.Sprint(w.Head), l.context.String()
	l.shown = append(l.shown, len(l.p.task.Found(was)))
	l.kept = append(l.kept, len(l.p.task.Found(fmt.Sprint(l.notes.Documents())+head)))
	ledger, _ := l.notes.Get(longrein.LedgerDocument)
	l.trail(was, head+ledger.Text)
}

// trail counts what must not be lost of the work.
func (l *reader) trail(was, is string) {
	task := l.p.task
	for _, s := range slices.Concat(task.Changed, task.Failing, task.Open) {
		if !mentions(was, s) {
			continue
		}
		l.trails++
		if mentions(is, s) {
			l.account.trail++
		}
	}
}

// mentions reports whether s stands in text with no digit behind it.
func mentions(text, s string) bool {
	for {
		_, after, ok := strings.Cut(text, s)
		if !ok || after == "" || after[0] < '0' || after[0] > '9' {
			return ok
		}
		text = after
	}
}

// requests compares each request of the worker with the one before.
func (l *reader) requests() {
	var was sim.Seen
	for _, is := range l.p.seen {
		if is.Role != "" || is.Error != "" {
			continue
		}
		if was.Hash != "" {
			l.pair(was, is)
		}
		l.took += is.Out.Sub(is.In)
		was = is
	}
	l.took += l.stall
}

// pair adds up what lies between two requests of the worker. Blocks of 128 tokens
// are what the cache keeps on two wires; tokens are rounded up.
func (l *reader) pair(was, is sim.Seen) {
	l.stall += is.In.Sub(was.Out)
	own := is.In.Sub(l.after[is.Hash])
	if l.windows[was.Hash] != l.windows[is.Hash] {
		l.swaps = append(l.swaps, own)
		return
	}
	l.steps = append(l.steps, own)
	if is.Usage.Cached < (was.Usage.Input-1)/128*128-128 {
		l.rewrites++
	}
}

// all sums worker and forks.
func (a account) all() tally {
	return tally{
		a.worker.requests + a.forks.requests,
		a.worker.input + a.forks.input, a.worker.cached + a.forks.cached, a.worker.output + a.forks.output,
	}
}

// extra is what memory adds to the worker's cost of input, in percent.
func (a account) extra() float64 { return 100 * a.forks.inputCost() / a.worker.inputCost() }

// written is what longer summaries would add to the cost, in US dollars: the
// peers' were made to have 750 tokens, and the simulated summarizer writes about 75.
func (a account) written() float64 {
	return prices.Cost(longrein.Usage{Output: int64(a.summaries * (750 - 75))})
}

// header is of the table that rows make.
const header = `
| run | facts | windows | cost USD | with summaries of 750 tokens | of it memory | input | uncached | cache | output | forks | their cache | memory's extra input cost | refused | shown facts that are kept |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`

// row is a line of a table.
func (a account) row(name string) string {
	all := a.all()
	kept := "all"
	if !slices.Equal(a.kept, a.shown) {
		kept = fmt.Sprintf("%v of %v", a.kept, a.shown)
	}
	return fmt.Sprintf("| %s | %d/%d | %d | %.2f | %.2f | %.2f | %.2f M | %.0f k | %.1f %% | %.1f k | %d | %.1f %% | %.1f %% | %d | %s |",
		name, a.found, a.facts, a.windows, all.cost(), all.cost()+a.written(), a.forks.cost(), float64(all.input)/1e6, float64(all.input-all.cached)/1e3,
		percent(all.cached, all.input), float64(all.output)/1e3, a.forks.requests, percent(a.forks.cached, a.forks.input), a.extra(), a.refused, kept)
}

// second is of the table that lines make.
const second = `
| run | least of a shared prefix read from cache | avoidable cache rewrites | resets | between answers and requests | of all time | swap p50 | swap max | other steps p50 | probes passed | repaired | trail |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`

// line is a line of a second table.
func (a account) line(name string) string {
	return fmt.Sprintf("| %s | %.1f %% | %d | %d | %.1f s | %.1f %% | %.1f ms | %.1f ms | %.1f ms | %d/%d | %d | %d/%d |",
		name, 100*a.share, a.rewrites, a.resets, a.stall.Seconds(), percent(int64(a.stall), int64(a.took)),
		millis(median(a.swaps)), millis(slices.Max(append(a.swaps, 0))), millis(median(a.steps)),
		a.passed, a.probes, a.repaired, a.trail, a.trails)
}

func millis(d time.Duration) float64 { return float64(d) / 1e6 }

func median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(d))[len(d)/2]
}
