package longtask

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// dice gives the same numbers for the same name on every machine.
type dice struct{ state uint64 }

func newDice(name string) *dice {
	d := &dice{}
	for _, b := range sha256.Sum256([]byte(name)) {
		d.state = d.state*31 + uint64(b)
	}
	return d
}

// below returns a number from 0 to n-1. The constants are those of Knuth's MMIX.
func (d *dice) below(n int) int {
	d.state = d.state*6364136223846793005 + 1442695040888963407
	return int(d.state >> 33 % uint64(n))
}

func (d *dice) word() string { return words[d.below(len(words))] }

var words = strings.Fields(`amber anchor barrel basin beacon bridge bronze cable canal candle cargo cedar
	chart clock copper crane crate dock engine ferry fog gate glass grain harbour hull iron island
	kettle ladder lamp lantern ledger lever linen lock marble mast mill mirror mooring oak oar paint
	pier pilot plank pulley quay rail river rope rudder sail salt sand signal silver slate spring
	stone storm tar thread tide timber tower valve velvet wagon water wheel wind winter yard`)

// factText is a fact of its number alone, always of the same form and of a
// length that a part of it does not have.
func factText(id string) string {
	d := newDice("fact " + id)
	return fmt.Sprintf("FACT-%s: %s-%s = %08x", id, d.word(), d.word(), d.below(1<<31))
}

// fileText is file n: about size bytes of prose, logs and code, with the facts
// on lines of their own.
func fileText(n, size int, facts []fact) string {
	d := newDice(fmt.Sprintf("file %d", n))
	var b strings.Builder
	fmt.Fprintf(&b, "File %d: %s and %s\n\n", n, d.word(), d.word())
	for b.Len() < size {
		for len(facts) > 0 && b.Len()*100 >= size*facts[0].depth {
			b.WriteString(facts[0].text + "\n")
			facts = facts[1:]
		}
		b.WriteString(d.line())
	}
	return b.String()
}

// line is a line, mostly of prose.
func (d *dice) line() string {
	switch d.below(4) {
	case 0:
		return fmt.Sprintf("2026-%02d-%02dT%02d:%02d:%02dZ INFO %s: %s %d moved to %s %d in %d ms\n",
			1+d.below(12), 1+d.below(28), d.below(24), d.below(60), d.below(60), d.word(), d.word(), d.below(1000), d.word(), d.below(100), d.below(5000))
	case 1:
		w := d.word()
		return fmt.Sprintf("func %s%s(%s int) int { return %s*%d + %d }\n", w, d.word(), w, w, d.below(100), d.below(1000))
	}
	return fmt.Sprintf("The %s of the %s was taken to the %s before the %s came, and the %s stayed with the %s.\n",
		d.word(), d.word(), d.word(), d.word(), d.word(), d.word())
}
