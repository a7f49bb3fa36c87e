package tokens

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCountsAreExact(t *testing.T) {
	for text, want := range map[string]int{
		"":                                       0,
		"hello world":                            2,
		"tiktoken is great!":                     6,
		"2 + 2 = 4":                              7,
		"お誕生日おめでとう":                              8,
		"<|endoftext|>":                          7,
		"\n \n":                                  1,
		"if err != nil {\n\t\treturn err\n\t}\n": 11,
	} {
		if got := Count(text); got != want {
			t.Errorf("Count(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestInvalidBytesCountAsTheReplacementCharacter(t *testing.T) {
	if got, want := Count("a\xffb"), Count("a\uFFFDb"); got != want {
		t.Errorf("got = %d, want %d", got, want)
	}
}

func TestPiecesHaveAsManyTokensAsTheWhole(t *testing.T) {
	word := rapid.SampledFrom([]string{"func", "Über", "don't", "  ", " ", "\n", "\r\n", "\n\n\t", "12345", "/*", "//", "{}", "日本", "e", "\u0301", "x_y", "A"})
	rapid.Check(t, func(t *rapid.T) {
		unit := strings.Join(rapid.SliceOfN(word, 0, 100).Draw(t, "words"), "") + "\nnext line "
		text := strings.Repeat(unit, 4)
		if got, want := inPieces(text, 8*len(unit)/3), count(text); got != want {
			t.Errorf("in pieces = %d, at once = %d", got, want)
		}
	})
}

func TestAPieceEndsBetweenCharacters(t *testing.T) {
	for name, text := range map[string]string{
		"two-byte characters":  strings.Repeat("é", pieceBytes),
		"three-byte ones":      "a" + strings.Repeat("語", pieceBytes),
		"four-byte ones":       "ab" + strings.Repeat("🦀", pieceBytes),
		"a run of one letter":  strings.Repeat("a", 3*pieceBytes),
		"a run of white space": strings.Repeat(" ", 3*pieceBytes),
	} {
		for rest := text; rest != ""; {
			end := pieceEnd(rest, pieceBytes)
			if end == 0 || end > pieceBytes || !utf8.ValidString(rest[:end]) {
				t.Fatalf("%s: a piece of %d bytes, valid %v", name, end, utf8.ValidString(rest[:end]))
			}
			rest = rest[end:]
		}
	}
}

func TestManyMayCountAtOnce(t *testing.T) {
	want := Count("the quick brown fox")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if got := Count("the quick brown fox"); got != want {
					t.Errorf("got = %d, want %d", got, want)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzCount(f *testing.F) {
	f.Add("hello", 1)
	f.Add("\xff\xfe\n word", 70_000)
	f.Fuzz(func(t *testing.T, text string, times int) {
		if times < 0 || len(text) > 1000 || times > 1_000 {
			return
		}
		text = strings.Repeat(text, times)
		if got := Count(text); got < 0 || got > 3*len(text) {
			t.Errorf("%d tokens in %d bytes", got, len(text))
		}
	})
}

func BenchmarkSource(b *testing.B) {
	source, err := os.ReadFile("tokens_test.go")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat(string(source), 100)
	Count(text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Count(text)
	}
}

// Hostile text is a run that is one word to the vocabulary. The time for a byte
// must not grow with the run.
func BenchmarkHostile(b *testing.B) {
	for name, unit := range map[string]string{
		"letters": "a", "capitals": "A", "spaces": " ", "line ends": "\n", "signs": "#", "digits": "7",
		"ideographs": "語", "marks": "\u0301", "invalid bytes": "\xff", "blank lines": " \n",
	} {
		for _, size := range []int{4 << 10, 64 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				text := strings.Repeat(unit, size/len(unit))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					Count(text)
				}
			})
		}
	}
}
