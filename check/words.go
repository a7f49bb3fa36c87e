package check

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// quote shows a text in one line, its middle left out when it is long.
func quote(text string) string {
	const most = 60 // fixed: a line of a report; the session has the whole
	if r := []rune(text); len(r) > most {
		text = string(r[:most-20]) + " … " + string(r[len(r)-17:]) // fixed: the rest of the line
	}
	return strconv.Quote(text)
}

// quoted is an argument as a shell takes it.
func quoted(arg string) string {
	plain := func(r rune) bool {
		return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-/", r))
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// plain is a text for one line of any screen and for XML: what is no character
// for people is written as Go escapes it.
func plain(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		if unicode.IsGraphic(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return b.String()
}

// whole writes a number with its thousands apart.
func whole(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// decimal writes a number with as many digits as it needs, thousands apart.
func decimal(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	left, right, fraction := strings.Cut(s, ".")
	n, err := strconv.ParseInt(left, 10, 64)
	if err != nil {
		return s
	}
	if fraction {
		return whole(n) + "." + right
	}
	return whole(n)
}

// dollars writes an amount with cents, and smaller parts where it has them.
func dollars(f float64) string {
	s := decimal(f)
	if _, cents, _ := strings.Cut(s, "."); len(cents) < 2 {
		return strconv.FormatFloat(f, 'f', 2, 64)
	}
	return s
}

// percent writes a share from 0 to 1, without the sign.
func percent(share float64) string { return fmt.Sprintf("%.1f", 100*share) }

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return whole(int64(n)) + " " + what
}

func either(words []string) string { return strings.Join(words, " or ") }

func span(d time.Duration) string { return d.Round(100 * time.Millisecond).String() }
