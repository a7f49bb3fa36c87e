package tokens

import (
	"strings"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// interpreted is the pattern without an engine of its own: what the words of
// the pattern mean.
var interpreted = regexp2.MustCompile("(?:"+pattern+")", regexp2.None)

func wordsByPattern(t interface{ Fatal(...any) }, text string) []string {
	var out []string
	m, err := interpreted.FindStringMatch(text)
	for ; m != nil && err == nil; m, err = interpreted.FindNextMatch(m) {
		out = append(out, m.String())
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func words(text string) []string {
	var out []string
	for rest := []rune(text); len(rest) > 0; {
		end := wordEnd(rest)
		out = append(out, string(rest[:end]))
		rest = rest[end:]
	}
	return out
}

func TestWordsAreThoseOfThePattern(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"a", "B", "ß", "Ǆ", "ǅ", "ʰ", "語", "\u0301", "\u20DD", "7", "Ⅷ", "½", " ", "\t", "\u00A0", "\u2028", "\u0085",
		"\n", "\r", "/", "#", "_", "'", "'s", "'RE", "'ll", "'v", "\uFEFF", "\u200D", "🦀", "\x00", "\uFFFD", "\x7f",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 40).Draw(t, "parts"), "")
		if diff := cmp.Diff(wordsByPattern(t, text), words(text)); diff != "" {
			t.Errorf("%q (-pattern +ours):\n%s", text, diff)
		}
	})
}

func FuzzWords(f *testing.F) {
	f.Add("func Main() {\n\n\t \nreturn x's 12345 // ÉTÉ été\r\n}")
	f.Fuzz(func(t *testing.T, text string) {
		if diff := cmp.Diff(wordsByPattern(t, text), words(text)); diff != "" {
			t.Errorf("%q (-pattern +ours):\n%s", text, diff)
		}
	})
}

// A new version of the library with another pattern would no longer use ours.
func TestTheLibraryDividesWithOurSplitter(t *testing.T) {
	if got := Count(" \n \n"); got != 1 {
		t.Errorf("two blank lines have %d tokens, want 1", got)
	}
}
