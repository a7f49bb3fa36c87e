package main

import (
	"encoding/json"
	"io"

	"github.com/longrein/longrein"
)

// jsonLines writes events for programs, one JSON object a line.
type jsonLines struct {
	enc *json.Encoder
	err error // the first that happened; nothing is written after it
}

func newJSONLines(w io.Writer) *jsonLines {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &jsonLines{enc: enc}
}

func (j *jsonLines) show(e longrein.Event) { j.write(e) }

func (j *jsonLines) write(v any) {
	if j.err == nil {
		j.err = j.enc.Encode(v)
	}
}

// printJSON prints one object for a program.
func (c *cli) printJSON(v any) error {
	lines := newJSONLines(c.out)
	lines.write(v)
	return lines.err
}
