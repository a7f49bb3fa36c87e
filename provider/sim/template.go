package sim

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/longrein/longrein/limit"
)

// template is a text with places, written {{word arguments}}, that are filled
// from the request.
type template []piece

// piece is a literal text, or a place when word is set.
type piece struct {
	text    string
	word    string
	number  number
	width   int // digits of pad, at least
	pattern *regexp.Regexp
}

// calls reports whether the template uses the word.
func (t template) calls(word string) bool {
	return slices.ContainsFunc(t, func(p piece) bool { return p.word == word })
}

// sample fills every place with a digit, to see whether JSON comes out.
func (t template) sample() string {
	var b strings.Builder
	for _, p := range t {
		if p.word != "" {
			b.WriteByte('1')
		}
		b.WriteString(p.text)
	}
	return b.String()
}

func parseTemplate(s string) (template, error) {
	t := template{}
	for {
		before, rest, found := strings.Cut(s, "{{")
		if before != "" {
			t = append(t, piece{text: before})
		}
		if !found {
			return t, nil
		}
		inside, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, errors.New("a place that begins with {{ has no }}")
		}
		p, err := parsePlace(strings.TrimSpace(inside))
		if err != nil {
			return nil, fmt.Errorf("place {{%s}}: %w", inside, err)
		}
		t, s = append(t, p), after
	}
}

func parsePlace(s string) (piece, error) {
	word, arg, _ := strings.Cut(s, " ")
	arg = strings.TrimSpace(arg)
	p := piece{word: word}
	var err error
	switch word {
	case "last", "marker", "needles", "outputs", "script":
		if arg != "" {
			err = errors.New("it takes no arguments")
		}
	case "file":
		p.number, err = parseNumber(arg)
	case "fill":
		p.number, err = parseFill(arg)
	case "pad":
		p.width, p.number, err = parsePad(arg)
	case "prompt":
		if arg != "" {
			p.pattern, err = pattern(arg)
		}
	case "match":
		p.pattern, err = pattern(arg)
	case "matches":
		count, re, _ := strings.Cut(arg, " ")
		if p.number, err = parseNumber(count); err == nil {
			p.pattern, err = pattern(strings.TrimSpace(re))
		}
	default:
		p.word = "number"
		p.number, err = parseNumber(s)
	}
	return p, err
}

// parseFill takes a plain number of bytes, so that a reply's size is known.
func parseFill(s string) (number, error) {
	n, err := strconv.Atoi(s)
	if most := limit.SimFill.Default; err != nil || n < 0 || int64(n) > most {
		return nil, fmt.Errorf("it takes a number of bytes up to %d (limit %s)", most, limit.SimFill.Name)
	}
	return number{{n: n}}, nil
}

// parsePad takes how many digits there are at least, and the number.
func parsePad(s string) (int, number, error) {
	digits, rest, _ := strings.Cut(s, " ")
	width, err := strconv.Atoi(digits)
	if err != nil || width < 1 || width > 9 {
		return 0, nil, fmt.Errorf("%q is no number of digits from 1 to 9", digits)
	}
	n, err := parseNumber(rest)
	return width, n, err
}

// number is a sum of products of whole numbers, i and step.
type number []factor

// factor multiplies what is before it, or begins a term that is added to it.
type factor struct {
	n     int
	name  string // "i", "step", or "" for n
	times bool
	minus bool
}

var numberToken = regexp.MustCompile(`^\s*(?:([0-9]{1,9})|(i|step)\b)\s*([-+*]?)`)

func parseNumber(s string) (number, error) {
	var out number
	rest, op := s, "+"
	for op != "" {
		m := numberToken.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("%q is neither a word nor a number made of digits, i, step, +, - and *", s)
		}
		n, _ := strconv.Atoi(m[1])
		out = append(out, factor{n: n, name: m[2], times: op == "*", minus: op == "-"})
		rest, op = rest[len(m[0]):], m[3]
	}
	if strings.TrimSpace(rest) != "" {
		return nil, fmt.Errorf("%q does not continue a number", rest)
	}
	return out, nil
}

// value computes n for one round of a repeat and one step.
func (n number) value(i, step int) int {
	sum, term := 0, 0
	for _, f := range n {
		v := f.n
		switch f.name {
		case "i":
			v = i
		case "step":
			v = step
		}
		if f.times {
			term *= v
			continue
		}
		sum += term
		if term = v; f.minus {
			term = -v
		}
	}
	return sum + term
}
