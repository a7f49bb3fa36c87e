package sim

import (
	"fmt"
	"regexp"
	"strconv"
)

// What a decider says on a line of its own.
const (
	signalReset   = "RESET"
	signalCarryOn = "CARRY ON"
)

// resetFrom is the percentage of a context no longer needed from which the
// decider wants a new window.
const resetFrom = 50

var staleShare = regexp.MustCompile(`no longer needed, by rules: \S+ of \S+ tokens \((\d{1,3})`)

// judge is a decider's answer.
func (b *beside) judge() reply {
	switch b.play.Act {
	case ActTools:
		return b.do(b.say("I look at it first.", ""), "exec_command", `{"command":"ls"}`)
	case ActForeign:
		return b.say("Das meiste hier wird nicht mehr gebraucht, also fangen wir bitte von vorn an.\n\nZURÜCKSETZEN", "")
	case ActQuoting:
		return b.say("I could say RESET here, but I say it in a sentence, and CARRY ON too.", "")
	case ActAlways:
		return b.say("Nothing here is needed any more.", signalReset)
	case ActNever:
		return b.say("All of this is still needed.", signalCarryOn)
	}
	m := staleShare.FindStringSubmatch(b.fork.text)
	if m == nil {
		return b.say("How much is no longer needed is not said.", signalCarryOn)
	}
	percent, _ := strconv.Atoi(m[1])
	signal := signalCarryOn
	if percent >= resetFrom {
		signal = signalReset
	}
	return b.say(fmt.Sprintf("By the rules %d%% of this is no longer needed.", percent), signal)
}
