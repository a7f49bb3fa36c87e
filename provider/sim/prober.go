package sim

import (
	"fmt"
	"regexp"
	"strings"
)

// How a prober is told how much to ask, and what to answer.
var (
	askLine    = regexp.MustCompile(`Ask up to (\d+) questions`)
	answerLine = regexp.MustCompile(`(?m)^Q(\d+): Which fact begins with "(.*)"\?$`)
)

// probe is a prober's answer: questions for the newest facts that it sees, or
// answers to such questions from what it sees.
func (b *beside) probe() reply {
	facts := b.needlesIn(b.texts())
	var lines []string
	for _, m := range answerLine.FindAllStringSubmatch(b.fork.text, -1) {
		lines = append(lines, fmt.Sprintf("A%s: %s", m[1], beginning(facts, m[2])))
	}
	if len(lines) == 0 {
		lines = questions(facts, askLine.FindStringSubmatch(b.fork.text))
	}
	r := b.say("", "")
	r.text = strings.TrimSpace(strings.Join(lines, "\n") + r.text)
	return r
}

// questions asks for the newest facts, as many as the instruction allows.
func questions(facts []string, allowed []string) []string {
	most := 0
	if allowed != nil {
		_, _ = fmt.Sscan(allowed[1], &most) // digits
	}
	var lines []string
	for _, fact := range facts[max(len(facts)-most, 0):] {
		lines = append(lines, fmt.Sprintf("Q: Which fact begins with %q?\nA: %s", fact[:len(fact)/2], fact))
	}
	return lines
}

func beginning(facts []string, with string) string {
	for _, fact := range facts {
		if strings.HasPrefix(fact, with) {
			return fact
		}
	}
	return "not known"
}

// needlesIn returns the different facts in texts, in the order of the script's
// needles.
func (b *beside) needlesIn(texts []string) []string {
	var all []string
	for _, n := range b.script.needles {
		var have []string
		for _, text := range texts {
			have = distinct(have, n.pattern, text, n.count)
		}
		all = append(all, have...)
	}
	return all
}
