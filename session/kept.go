package session

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/longrein/longrein"
)

// Kept is a line that no session is made of, or a part of one.
type Kept struct {
	N    int64  // of the file, or of the element of a document, from 1
	Kind string // what it is, or why it could not be read
	Lost bool   // it could not be read
	// Part counts from 1 where the line is handed over in several; 0 is all of it.
	Part int
	Raw  []byte // valid until the call returns
}

// longestPart is how much of a line is handed over at once.
const longestPart = 4 << 20 // fixed: parts of a line; all of them are handed over

// restPart is how much of what a broken document leaves is.
const restPart = 256 << 10 // fixed: parts; all of them are handed over

// keep hands a line over.
func (t *tally) keep(k Kept, raw []byte) {
	if t.keeper == nil {
		return
	}
	if len(raw) > longestPart {
		k.Part = 1
	}
	for t.keepErr == nil {
		k.Raw = raw[:min(len(raw), longestPart)]
		raw = raw[len(k.Raw):]
		t.keepErr = t.keeper(k)
		if len(raw) == 0 {
			return
		}
		k.Part++
	}
}

// passLine passes a line over.
func (t *tally) passLine(n int64, kind string, raw []byte) {
	t.pass(kind, 1)
	t.keep(Kept{N: n, Kind: plain(kind)}, raw)
}

// loseRest takes all that is left of a document as one line that cannot be read.
func (t *tally) loseRest(n int64, why string, r io.Reader) error {
	buf := make([]byte, restPart)
	size, err := io.ReadFull(r, buf)
	t.Lost++
	t.list(n, why, buf[:size])
	k := Kept{N: n, Kind: why, Lost: true}
	if err == nil {
		k.Part = 1
	}
	for t.keeper != nil && t.keepErr == nil && (size > 0 || k.Part < 2) {
		k.Raw = buf[:size]
		t.keepErr = t.keeper(k)
		if err != nil {
			break
		}
		k.Part++
		size, err = io.ReadFull(r, buf)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// keepMoments hands over what was taken and is dropped now, as it was taken: the
// lines themselves are gone.
func (t *tally) keepMoments(kind string, dropped []Moment) {
	for _, m := range dropped {
		var told any
		switch what := m.What.(type) {
		case Input:
			told = map[string]string{"input": what.Text}
		case Inserted:
			told = entries([]longrein.Item{what.Fragment})
		case *Step:
			items := what.Items
			for _, o := range what.Outputs {
				items = append(items, o)
			}
			told = entries(items)
		default:
			continue
		}
		raw, err := json.Marshal(told)
		if err != nil {
			t.keepErr = errors.Join(t.keepErr, err)
			return
		}
		t.keep(Kept{N: m.Line, Kind: kind}, raw)
	}
}

func entries(items []longrein.Item) (all []longrein.Entry) {
	for _, it := range items {
		all = append(all, longrein.Entry{Item: it})
	}
	return all
}
