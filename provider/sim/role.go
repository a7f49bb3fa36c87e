package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Role is how a background role is played when it is not played well. It is for
// tests of what runs the roles.
type Role struct {
	Name  longrein.ForkRole // the summarizer, the decider or the compactor
	Act   Act
	N     int           // bytes of ActHuge, rounds of ActSlow
	Wait  time.Duration // of ActHang, before the first byte
	Times int           // runs that are played so, 0 for all
}

// Act is what a role does in place of its duty.
type Act string

// What all roles can do, then the summarizer, then the decider. A compactor does
// ActTools and ActNothing.
const (
	ActFail Act = "fail" // HTTP status 500
	ActHang Act = "hang" // the first byte comes late

	ActOutside    Act = "outside"     // patches ../x, TODO.md and LEDGER.md
	ActDeleteMain Act = "delete-main" // deletes MAIN.md
	ActHuge       Act = "huge"        // writes N bytes into MAIN.md
	ActNothing    Act = "nothing"     // ends without an edit, and without saying that there is none
	ActRewrite    Act = "rewrite"     // writes all of MAIN.md anew
	ActSlow       Act = "slow"        // needs N rounds

	ActTools   Act = "tools"   // calls exec_command for ever
	ActForeign Act = "foreign" // answers in another language
	ActQuoting Act = "quoting" // has both signals in the middle of sentences
	ActAlways  Act = "always"  // says RESET whatever is asked
	ActNever   Act = "never"   // says CARRY ON whatever is asked
)

// acts says who can do what.
var acts = map[longrein.ForkRole][]Act{
	longrein.RoleSummarizer: {ActFail, ActHang, ActOutside, ActDeleteMain, ActHuge, ActNothing, ActRewrite, ActSlow},
	longrein.RoleCompactor:  {ActFail, ActHang, ActTools, ActNothing},
	longrein.RoleDecider:    {ActFail, ActHang, ActTools, ActForeign, ActQuoting, ActAlways, ActNever},
}

// ParseRole reads how a role is played, as scripts write it.
//
//	summarizer fail times 2
//	summarizer hang 90s
//	summarizer huge 10000000 times 1
//	decider always
func ParseRole(s string) (Role, error) {
	words := strings.Fields(s)
	if len(words) < 2 {
		return Role{}, errors.New("a role is followed by what it does")
	}
	r := Role{Name: longrein.ForkRole(words[0]), Act: Act(words[1])}
	if acts[r.Name] == nil {
		return Role{}, fmt.Errorf("%q is none of the roles %s", r.Name, joined(slices.Sorted(maps.Keys(acts))))
	}
	if !slices.Contains(acts[r.Name], r.Act) {
		return Role{}, fmt.Errorf("a %s does not %q: there are %s", r.Name, r.Act, joined(acts[r.Name]))
	}
	rest, err := r.argument(words[2:])
	if err == nil && len(rest) > 0 {
		err = r.limited(rest)
	}
	if err != nil {
		return Role{}, fmt.Errorf("%s %s: %w", r.Name, r.Act, err)
	}
	return r, nil
}

// argument takes what the act needs from the words, and returns the others.
func (r *Role) argument(words []string) ([]string, error) {
	most := map[Act]int64{ActHuge: limit.SimFill.Default, ActSlow: maxRounds}[r.Act]
	if r.Act != ActHang && most == 0 {
		return words, nil
	}
	if len(words) == 0 {
		return nil, errors.New("how much is missing")
	}
	var err error
	if r.Act == ActHang {
		r.Wait, err = duration(words[0])
		return words[1:], err
	}
	r.N, err = strconv.Atoi(words[0])
	if err != nil || r.N < 1 || int64(r.N) > most {
		err = fmt.Errorf("%q is no number from 1 to %d", words[0], most)
	}
	return words[1:], err
}

// maxRounds bounds ActSlow.
const maxRounds = 1000 // fixed: more is refused, and told this

func (r *Role) limited(words []string) error {
	if words[0] != "times" || len(words) != 2 {
		return fmt.Errorf("%q is not times and a number", strings.Join(words, " "))
	}
	return count(words[1], &r.Times)
}

func joined[T ~string](all []T) string {
	words := make([]string, 0, len(all))
	for _, s := range all {
		words = append(words, string(s))
	}
	return strings.Join(words, ", ")
}

// role returns how a fork's next answer is to be played; the zero Role is well.
// What is played for a number of runs is counted when one begins; later rounds
// find what was chosen in the ids of their calls.
func (s *Sim) role(script *Script, f *fork) Role {
	all := slices.Concat(s.o.Roles, script.roles)
	if f.act != "" {
		if i := slices.IndexFunc(all, func(r Role) bool { return r.Name == f.role && string(r.Act) == f.act }); i >= 0 {
			return all[i]
		}
		return Role{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range all {
		if r.Name == f.role && (r.Times == 0 || s.played[r] < r.Times) {
			s.played[r]++
			return r
		}
	}
	return Role{}
}
