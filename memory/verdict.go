package memory

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/longrein/longrein/limit"
)

// What answers have on a line of their own.
const (
	wordReset   = "RESET"
	wordCarryOn = "CARRY ON"
	wordDone    = "NOTES DONE"
	wordNothing = "NOTHING TO ADD"
)

// Reading is what a decider's answer comes to.
type Reading struct {
	Reset   bool
	Reason  string // the rest of the answer in one line, cut at limit.VerdictReason
	Strict  bool   // the answer has one of the words on a line of its own
	Problem string // why an answer counts as carrying on although it does not say so
}

// denial is a field of an answer that speaks against a new window.
var denial = regexp.MustCompile(`(?i)\b(verdict|decision|answer|judge?ment|reset|new[ _]window)\b["'` + "`" + `*]*\s*[:=]\s*["'` + "`" + `*]*(no\b|not\b|none\b|false\b|0\b|don't\b|do not\b|carry\b)`)

// ReadVerdict reads a decider's answer. A new window is due only when the answer
// has RESET on a line of its own, in capitals; blanks, back-quotes, asterisks and
// quotes around it and a full stop behind it are passed over. The word in a
// sentence counts for nothing. An answer that also has CARRY ON on such a line,
// or a field like "verdict: no", or neither word, carries on and has a Problem.
func ReadVerdict(text string) Reading {
	said, rest := words(text, wordReset, wordCarryOn)
	r := Reading{Strict: len(said) > 0, Reason: clip(oneLine(rest), limit.Set{}.Int(limit.VerdictReason))}
	switch against := denial.FindString(rest); {
	case strings.TrimSpace(text) == "":
		r.Problem = "the answer is empty"
	case said[wordReset] && said[wordCarryOn]:
		r.Problem = "the answer has both RESET and CARRY ON"
	case said[wordReset] && against != "":
		r.Problem = fmt.Sprintf("the answer has RESET and %q", oneLine(against))
	case len(said) == 0:
		r.Problem = "the answer has neither RESET nor CARRY ON on a line of its own"
	default:
		r.Reset = said[wordReset]
	}
	return r
}

// ReadSummary reports what a summarizer's answer has on a line of its own: that
// the notes are done, or that there is nothing to add. Of an answer that has both
// the first one counts; the lines are read as [ReadVerdict] reads them.
func ReadSummary(text string) (done, nothing bool) {
	said, _ := words(text, wordDone, wordNothing)
	return said[wordDone], said[wordNothing] && !said[wordDone]
}

// words returns which of the wanted words have a line of their own, and the other
// lines.
func words(text string, wanted ...string) (said map[string]bool, rest string) {
	said = map[string]bool{}
	var b strings.Builder
	for line := range strings.Lines(text) {
		word := bare(line)
		found := false
		for _, w := range wanted {
			if word == w {
				said[w], found = true, true
			}
		}
		if !found {
			b.WriteString(line)
		}
	}
	return said, b.String()
}

// bare takes away what models put around a word.
func bare(line string) string {
	const around = " \t\r\n\u00a0`*'\"“”„«»‘’"
	line = strings.TrimSuffix(strings.Trim(line, around), ".")
	return strings.Trim(line, around)
}

// AskDeciderAgain is the output of a decider's call of a tool: none is run.
func AskDeciderAgain() string {
	return "This judgement needs no tools, and none was run. Answer now, in text: one sentence of reason, and then RESET or CARRY ON on a line of its own."
}
