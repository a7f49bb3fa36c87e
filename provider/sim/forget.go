package sim

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Forget is how likely a summarizer leaves a needle out of a summary: Percent
// from 0 to 100. The coin is fixed: the same needle at the same step is always
// forgotten or never. Another Seed chooses others.
type Forget struct {
	Percent int
	Seed    int
}

// ParseForget reads "10%" and "10% seed 3".
func ParseForget(s string) (Forget, error) {
	words := append(strings.Fields(s), "", "")
	var f Forget
	share, ok := strings.CutSuffix(words[0], "%")
	n, err := strconv.Atoi(share)
	if err != nil || !ok || n < 0 || n > 100 { // fixed: percent
		return f, fmt.Errorf("forget takes a share from 0%% to 100%%, not %q", words[0])
	}
	f.Percent = n
	switch rest := words[1 : len(words)-2]; {
	case len(rest) == 0:
		return f, nil
	case len(rest) != 2 || rest[0] != "seed":
		return f, fmt.Errorf("%q is not seed and a number", strings.Join(rest, " "))
	}
	if f.Seed, err = strconv.Atoi(words[2]); err != nil {
		err = fmt.Errorf("the seed %q is no number", words[2])
	}
	return f, err
}

// forget returns how likely the script's summarizer forgets.
func (s *Sim) forget(script *Script) Forget {
	return cmp.Or(s.o.Forget, script.forget)
}

// strikes tosses the coin for a needle, in a summary made when the worker was at
// a place. Records' numbers have no part in it, for they depend on how fast all
// that runs is.
func (f Forget) strikes(needle string, at place) bool {
	if f.Percent == 0 {
		return false
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d.%d %s", f.Seed, at.play, at.step, needle))
	return binary.BigEndian.Uint64(sum[:8])%100 < uint64(f.Percent) // fixed: the bytes of a number
}
