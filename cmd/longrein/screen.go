package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/longrein/longrein"
)

// screen shows a thread's events to a person: progress on one writer, the answer
// on the other. It keeps no truth of its own.
type screen struct {
	out  io.Writer // the answer
	err  io.Writer // everything else
	id   string    // of the thread
	live bool      // err is a terminal that a line can be redrawn on

	mu       sync.Mutex // of all below: the live line is redrawn beside the events
	settings longrein.Settings
	calls    map[string]started
	step     int
	total    longrein.Totals
	beside   besides
	over     bool // the turn has ended
	doing    string
	since    time.Time // it is done
	drawn    bool
	asking   map[string]bool // calls whose approval is waited for
	answer   []string        // of the newest response
	now      func() time.Time
}

type started struct {
	call longrein.ToolCall
	at   time.Time
}

func newScreen(out, err io.Writer, live bool) *screen {
	return &screen{out: out, err: err, live: live, calls: map[string]started{}, asking: map[string]bool{}, beside: newBesides(), now: time.Now}
}

// tick redraws the live line until ctx ends, so that a long wait is seen to move.
func (s *screen) tick(ctx context.Context) {
	t := time.NewTicker(200 * time.Millisecond) // fixed: how often a line is drawn anew
	defer t.Stop()
	for s.live {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			s.mu.Lock()
			s.draw()
			s.mu.Unlock()
		}
	}
}

// pause leaves the terminal to a question until it is decided.
func (s *screen) pause(a longrein.Approval) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.State != longrein.ApprovalAsked {
		delete(s.asking, a.CallID)
		return
	}
	s.clear()
	s.asking[a.CallID] = true
}

// busy says what is being done from now on.
func (s *screen) busy(doing string) {
	if s.doing != doing {
		s.doing, s.since = doing, s.now()
	}
}

// show takes one event in.
func (s *screen) show(e longrein.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch b := e.Payload.(type) {
	case longrein.Thread:
		s.line("thread %s", b.ID)
	case longrein.Window:
		s.window(b)
	case longrein.Asked:
		s.step++
		s.answer = nil
		s.busy("thinking")
	case longrein.Delta:
		if b.Kind == longrein.DeltaText {
			s.busy("writing")
		}
	case longrein.Appended:
		s.item(b)
	case longrein.ToolRun:
		s.run(b)
	case longrein.Answered:
		s.total = plus(s.total, b)
	case longrein.Warning:
		s.line("! %s", b.Text)
	case longrein.LimitHit:
		s.line("! limit %s = %d %s: %s", b.Name, b.Value, b.Unit, cutText(b))
	case longrein.Turn:
		s.turn(b)
	default:
		s.memory(b)
	}
	s.draw()
}

func cutText(h longrein.LimitHit) string {
	text := h.What
	if h.Cut > 0 {
		text += fmt.Sprintf(" (%d %s left out)", h.Cut, cutUnit(h))
	}
	if h.Where != "" {
		text += "; the whole is in " + h.Where
	}
	return text
}

// cutUnit names what a hit's Cut counts.
func cutUnit(h longrein.LimitHit) string { return cmp.Or(h.CutUnit, h.Unit) }

func (s *screen) window(w longrein.Window) {
	s.settings = w.Settings
	if w.N == 1 {
		s.line("model %s, sandbox %s, approval %s", modelName(w.Settings), w.Settings.Sandbox, w.Settings.Approval)
		return
	}
	s.line("~ window %d: %s%s", w.N, w.Why, s.beside.swapText(w.N))
}

// modelName says which model answers, and that it is a simulated one when it is.
func modelName(set longrein.Settings) string {
	name := set.Model
	if set.Simulated {
		name += " (simulated: it plays a script, and no real model answers)"
	}
	if set.ContextWindow > 0 {
		name += fmt.Sprintf(", window of %s tokens", count(int64(set.ContextWindow)))
	}
	return name
}

func (s *screen) item(a longrein.Appended) {
	switch it := a.Item.(type) {
	case longrein.Message:
		if it.Role == longrein.RoleAssistant && strings.TrimSpace(it.Text) != "" {
			s.answer = append(s.answer, it.Text)
		}
	case longrein.ToolCall:
		s.calls[it.ID] = started{call: it, at: s.now()}
		s.flushSaid()
	case longrein.ToolOutput:
		s.output(it)
	case longrein.Fragment:
		if it.Tag == longrein.TagSkill { // its text begins with its name
			s.line("@ skill loaded, %s", firstLine(strings.SplitN(it.Text, "\n", 2)[0], 100))
		}
	}
}

// flushSaid shows what the model said beside its calls; it is not the answer.
func (s *screen) flushSaid() {
	for _, text := range s.answer {
		s.line("  %s", strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  "))
	}
	s.answer = nil
}

func (s *screen) run(r longrein.ToolRun) {
	if c, ok := s.calls[r.CallID]; ok && r.State == longrein.ToolStarted {
		c.at = s.now()
		s.calls[r.CallID] = c
		s.busy(describe(c.call))
	}
}

func (s *screen) output(o longrein.ToolOutput) {
	c, ok := s.calls[o.CallID]
	if !ok {
		return
	}
	delete(s.calls, o.CallID)
	mark := map[longrein.OutputStatus]string{
		longrein.OutputOK: "+", longrein.OutputFailed: "-", longrein.OutputRefused: "x",
	}[o.Status]
	if mark == "" {
		mark = "?"
	}
	s.line("%s %s  %.1fs", mark, describe(c.call), s.now().Sub(c.at).Seconds())
	if o.Status != longrein.OutputOK {
		s.line("    %s", firstLine(o.Text, 200))
	}
}

func (s *screen) turn(t longrein.Turn) {
	switch t.State {
	case longrein.TurnStarted:
		s.step, s.total, s.beside.total, s.over = 0, longrein.Totals{}, longrein.Totals{}, false
		return
	case longrein.TurnInterrupted:
		s.flushSaid()
		s.line("x interrupted; longrein resume %s goes on from here", short(s.id))
	case longrein.TurnFailed:
		s.flushSaid()
	case longrein.TurnEnded:
	}
	s.line("= %s", s.figures())
	s.doing, s.over = "", true
}

// figures sums the turn up, memory included.
func (s *screen) figures() string {
	all, memory := s.total, s.beside.total
	all.Requests += memory.Requests
	all.Usage = all.Usage.Add(memory.Usage)
	all.Cost += memory.Cost
	text := fmt.Sprintf("%s, %s tokens in", counted(all.Requests, "request"), count(all.Usage.Input))
	if all.Usage.Input > 0 {
		text += fmt.Sprintf(" (%.0f%% from the cache)", share(all.Usage.Cached, all.Usage.Input))
	}
	text += fmt.Sprintf(", %s out", count(all.Usage.Output))
	if all.Cost > 0 {
		text += fmt.Sprintf(", $%.4f", all.Cost)
	}
	switch {
	case memory.Requests == 0:
		return text
	case all.Cost > 0:
		return text + fmt.Sprintf("; %.0f%% of the cost is memory's, in %s", 100*memory.Cost/all.Cost, counted(memory.Requests, "request"))
	}
	return text + fmt.Sprintf("; of the requests, memory's: %d", memory.Requests)
}

// text is the model's last word.
func (s *screen) text() string {
	return strings.TrimRight(strings.Join(s.answer, "\n\n"), "\n")
}

// finish prints the answer. A terminal gets it without control characters; a
// file or a pipe gets it as it is.
func (s *screen) finish() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	s.doing = ""
	text := s.text()
	if text == "" {
		return nil
	}
	if terminal(s.out) {
		text = printable(text)
	}
	_, err := fmt.Fprintln(s.out, text)
	return err
}

func (s *screen) line(format string, args ...any) {
	s.clear()
	fmt.Fprintln(s.err, printable(fmt.Sprintf(format, args...)))
}

// draw redraws the live line.
func (s *screen) draw() {
	if !s.live || s.doing == "" || len(s.asking) > 0 {
		return
	}
	s.clear()
	doing := strings.Join(append([]string{s.doing}, s.beside.running...), " · ")
	text := fmt.Sprintf("[%d] %ds %s · %s", s.step, int(s.now().Sub(s.since).Seconds()), doing, s.figures())
	fmt.Fprint(s.err, "\r", firstLine(text, width(s.err)-1))
	s.drawn = true
}

// width returns how many columns a terminal has; a line must not wrap, or it
// could not be cleared.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 1 {
			return columns
		}
	}
	return 80
}

func (s *screen) clear() {
	if s.drawn {
		fmt.Fprint(s.err, "\r\x1b[K")
		s.drawn = false
	}
}

// describe puts a call into a few words: its tool and its most telling argument.
func describe(c longrein.ToolCall) string {
	var args map[string]any
	_ = json.Unmarshal([]byte(c.Args), &args) // what cannot be read is not shown
	for _, key := range []string{"command", "path", "pattern", "id"} {
		if v, ok := args[key].(string); ok && v != "" {
			return c.Name + " " + firstLine(v, 100)
		}
	}
	if patch, ok := args["patch"].(string); ok {
		return c.Name + " " + patched(patch)
	}
	return c.Name
}

// patched names the files of a patch.
func patched(patch string) string {
	var files []string
	for line := range strings.Lines(patch) {
		if _, file, ok := strings.Cut(line, " File: "); ok && strings.HasPrefix(line, "*** ") {
			files = append(files, strings.TrimSpace(file))
		}
	}
	return firstLine(strings.Join(files, " "), 100)
}

// firstLine returns the first line of text, at most n characters of it, with
// control characters made visible so that they cannot steer a terminal.
func firstLine(text string, n int) string {
	text, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(printable(text))
	if len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	if rest != "" {
		return string(runes) + " …"
	}
	return string(runes)
}

// printable replaces control characters, those that turn the writing direction
// among them.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 || turnsText(r) {
			return '�'
		}
		return r
	}, text)
}

// turnsText reports whether r changes the order in which text is shown, or
// breaks a line where a terminal may not.
func turnsText(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// count shortens a number: 950, 12.3k, 4.5M.
func count(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprintf("%.2fM", float64(n)/1e6)
}
