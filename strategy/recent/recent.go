// Package recent keeps windows small without a model: when a window is full, the
// next one carries the user's own words and the newest items on, unchanged, and
// names what it leaves behind. It is the plain fallback beneath cleverer
// strategies: it always works, costs no request, and loses only what is old.
package recent

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Strategy begins a new window when the old one is full. Its zero value works.
type Strategy struct {
	Limits limit.Set
}

// Name returns "recent".
func (Strategy) Name() string { return "recent" }

// Decide begins a new window when the next request would fill more than
// limit.WindowShare of what the model takes, or was refused as too long.
// Without a known context window only a refusal counts.
func (s Strategy) Decide(v longrein.View) longrein.Move {
	size := v.Settings.ContextWindow
	full := size > 0 && v.Tokens >= share(v.Settings.Room(), s.Limits.Int(limit.WindowShare))
	switch {
	case v.Refused:
		return s.renew(v, "the provider refused the context as too long")
	case full:
		return s.renew(v, fmt.Sprintf("the window is full: about %d of %d tokens", v.Tokens, size))
	}
	return longrein.CarryOn{}
}

func share(n, percent int) int { return n / 100 * percent }

// renew builds the head: the user's words, a note of what is left out, and as
// much of the newest work as the head has room for, at least the newest step. It
// carries on when that would leave nothing out.
func (s Strategy) renew(v longrein.View, why string) longrein.Move {
	old := v.Entries[min(v.Fresh, len(v.Entries)):]
	room := share(capacity(v), s.Limits.Int(limit.CarriedShare)) - v.Overhead
	at := newest(old, room, v.Size)
	kept, hits := old[at:], []longrein.LimitHit(nil)
	if at == len(old) && at > 0 {
		at = unit(old, at)
		kept, hits = s.shorten(old[at:], max(room, 0), v.Size)
	}
	words, cut := s.words(old[:at], room-sum(kept, v.Size), v.Size)
	if at == len(words) && len(hits) == 0 {
		return longrein.CarryOn{} // there is nothing to leave out
	}
	head := append(words, note(at-len(words)))
	return longrein.NewWindow{
		Why:  why,
		Head: append(head, kept...),
		Cut:  append(hits, s.cuts(old[:at], words, cut, v.Size)...),
	}
}

// capacity is how many tokens a request may have. What was refused is known to
// be too much, whatever the settings say.
func capacity(v longrein.View) int {
	room := v.Settings.Room()
	if room == 0 || v.Refused && v.Tokens < room {
		return v.Tokens
	}
	return room
}

// newest returns the index from which on entries fit into room tokens. It never
// parts a step: calls and their outputs are kept or left together.
func newest(entries []longrein.Entry, room int, size func(longrein.Entry) int) int {
	at := len(entries)
	for at > 0 {
		from := unit(entries, at)
		room -= sum(entries[from:at], size)
		if room < 0 {
			break
		}
		at = from
	}
	return at
}

// unit returns where the step that ends at index end begins.
func unit(entries []longrein.Entry, end int) int {
	from := end - 1
	step := entries[from].Step
	for step != 0 && from > 0 && entries[from-1].Step == step {
		from--
	}
	return from
}

// shorten cuts the outputs of one step, evenly and visibly, so that they fit into
// room tokens. The calls and the model's words stay whole.
func (s Strategy) shorten(step []longrein.Entry, room int, size func(longrein.Entry) int) ([]longrein.Entry, []longrein.LimitHit) {
	outputs := 0
	for _, e := range step {
		if _, ok := e.Item.(longrein.ToolOutput); ok {
			outputs++
		}
	}
	kept := slices.Clone(step)
	cut := 0
	for i, e := range kept {
		out, ok := e.Item.(longrein.ToolOutput)
		if !ok || size(e) <= room/outputs {
			continue
		}
		out.Text = clip(out.Text, room/outputs*len(out.Text)/max(size(e), 1))
		shorter := longrein.Entry{Seq: e.Seq, Step: e.Step, Item: out}
		if n := size(e) - size(shorter); n > 0 {
			kept[i] = shorter
			cut += n
		}
	}
	if cut == 0 {
		return kept, nil
	}
	const where = "the thread's log, and read_output where the output has an id"
	return kept, []longrein.LimitHit{s.hit("outputs of the newest step", cut, where)}
}

// clip returns at most n bytes of text, whole characters, and says what is gone.
func clip(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return fmt.Sprintf("%s\n[%d more bytes left out here: the context was full]", text[:n], len(text)-n)
}

// words returns the user's messages, the first and then the newest, as far as
// they fit, and how many tokens of them do not.
func (s Strategy) words(entries []longrein.Entry, room int, size func(longrein.Entry) int) (kept []longrein.Entry, cut int) {
	var said []longrein.Entry
	for _, e := range entries {
		if m, ok := e.Item.(longrein.Message); ok && m.Role == longrein.RoleUser {
			said = append(said, e)
		}
	}
	if len(said) == 0 {
		return nil, 0
	}
	room = min(max(room, s.Limits.Int(limit.CarriedUser)/10), s.Limits.Int(limit.CarriedUser)) - size(said[0])
	from := 1 + newest(said[1:], room, size)
	kept = append(kept, said[0])
	return append(kept, said[from:]...), sum(said[1:from], size)
}

// note tells the model that older items are gone from its sight.
func note(left int) longrein.Entry {
	return longrein.Entry{Item: longrein.Fragment{
		Tag: longrein.TagCarryOver, Role: longrein.RoleUser,
		Text: fmt.Sprintf("The context was full, so %d older items are left out here. The user's messages above and the newest work below are complete. "+
			"Go on with the task from where the work below stops; do not begin again. Read files again where you need what is gone.", left),
	}}
}

// cuts names what the model no longer sees.
func (s Strategy) cuts(gone, words []longrein.Entry, userCut int, size func(longrein.Entry) int) []longrein.LimitHit {
	const where = "the thread's log; longrein threads show"
	var hits []longrein.LimitHit
	if n := sum(gone, size) - sum(words, size) - userCut; n > 0 {
		hits = append(hits, s.hit(fmt.Sprintf("%d older items", len(gone)-len(words)), n, where))
	}
	if userCut > 0 {
		hits = append(hits, s.Limits.Hit(limit.CarriedUser, "user messages between the first and the newest", int64(userCut), where))
	}
	return hits
}

// hit says that the head's size left out so many tokens.
func (s Strategy) hit(what string, tokens int, where string) longrein.LimitHit {
	h := s.Limits.Hit(limit.CarriedShare, what, int64(tokens), where)
	h.CutUnit = string(limit.Tokens)
	return h
}

func sum(entries []longrein.Entry, size func(longrein.Entry) int) int {
	n := 0
	for _, e := range entries {
		n += size(e)
	}
	return n
}
