package check_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/longrein/longrein/check"
	"github.com/longrein/longrein/internal/testkit"
)

// reports are of two sessions, with every state, and characters that neither a
// screen nor XML takes.
func reports(t *testing.T) []*check.Report {
	policy := small + `name = "careful & <quick>"
[[rule]]
kind = "survives"
text = "The port is set in zeta_4711."
[[rule]]
name = "a name with \"quotes\" and ümlauts"
kind = "windows"
most_windows = 3
[[rule]]
kind = "survives"
text = "never \u0007 said \u202e"
optional = true
[[rule]]
kind = "retention"
least_percent = 50
of = "numbers"
`
	one, two := short(t), long(t, 30)
	two.Name = "other\x1b[31m & session.jsonl"
	return []*check.Report{judge(t, one, policy), judge(t, two, policy)}
}

func TestReportsForPeople(t *testing.T) {
	var b bytes.Buffer
	all := reports(t)
	for _, r := range all {
		if err := check.WriteText(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := check.WriteSum(&b, all); err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, "report.txt", b.Bytes())
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	if err := check.WriteJUnit(&b, "careful & <quick>", reports(t)); err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, "junit.xml", b.Bytes())
	d := xml.NewDecoder(&b)
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestOutputHasNoControlCharacters(t *testing.T) {
	var b strings.Builder
	for _, r := range reports(t) {
		if err := check.WriteText(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := check.WriteJUnit(&b, "p\x00", reports(t)); err != nil {
		t.Fatal(err)
	}
	for _, r := range b.String() {
		if r < ' ' && r != '\n' || r == 0x7f || r == '\u202e' || r == '\uFFFD' {
			t.Fatalf("%q in:\n%s", r, b.String())
		}
	}
}
