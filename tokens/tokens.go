// Package tokens counts tokens exactly, for people who want to know what a
// request holds. It uses the o200k vocabulary, which is the one of current
// OpenAI models; for other models the count is a good estimate.
//
// It is not for the way to a request: requests are sized by the cheap estimate
// of package assemble. The vocabulary takes some 15 ms and 7 MB to build, so it
// is built at the first [Count] and not when the program starts.
package tokens

import (
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"
)

// o200k builds the vocabulary when it is first wanted. It is read only after
// that. Taking the codec itself, and not the library's list of codecs, keeps
// the other vocabularies out of the binary.
var o200k = sync.OnceValue(func() *codec.Codec {
	replaceSplitter()
	c := codec.NewO200kBase()
	c.SetErrorMode(codec.ErrorModeReplace)
	return c
})

// Count returns the number of o200k tokens in text. Text that looks like a
// special token is counted as the plain text that it is, and an invalid UTF-8
// sequence counts as U+FFFD. Time grows linearly with the text and memory does
// not grow with it. Safe for concurrent use.
func Count(text string) int { return inPieces(text, pieceBytes) }

// pieceBytes is how much text is counted at once. The library holds a text as
// runes while it counts, so this bounds memory.
const pieceBytes = 64 << 10

func inPieces(text string, size int) int {
	n := 0
	for text != "" {
		end := pieceEnd(text, size)
		n += count(text[:end])
		text = text[end:]
	}
	return n
}

func count(piece string) int {
	n, err := o200k().Count(piece)
	if err != nil {
		return len(piece) // no token is shorter than a byte
	}
	return n
}
