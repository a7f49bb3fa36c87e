package pack

import (
	"strings"

	"github.com/longrein/longrein"
)

// row is what a summary needs of a turn. All of it is bounded.
type row struct {
	N      int                `json:"n"`    // from 1
	Seq    int64              `json:"seq"`  // of its first item's record
	Last   int64              `json:"last"` // of its newest item's
	Asked  string             `json:"asked"`
	Answer string             `json:"answer,omitempty"` // the model's conclusion so far
	End    longrein.TurnState `json:"end,omitempty"`    // how it ended, "" while it runs
	Tools  []tally            `json:"tools,omitempty"`
	Others int                `json:"others,omitempty"` // calls of further tools
	Files  []change           `json:"files,omitempty"`
	More   int                `json:"more,omitempty"` // changes of further files
}

// tally counts the calls of a tool.
type tally struct {
	Tool string `json:"tool"`
	N    int    `json:"n"`
}

// asks adds a request's key points, or a steer's.
func (r *row) asks(points string, most int) {
	if r.Asked != "" {
		points = r.Asked + between + points
	}
	r.Asked = clip(points, most)
}

// answers takes in a text of the model's; the last one counts.
func (r *row) answers(text string, most int) {
	if c := conclusion(text, most); c != "" {
		r.Answer = c
	}
}

// toolName is as much of a tool's name as is kept, in characters.
const toolName = 64 // fixed: tools have shorter names

func (r *row) calls(tool string, most int) {
	tool = clip(squeeze(tool), toolName)
	for i := range r.Tools {
		if r.Tools[i].Tool == tool {
			r.Tools[i].N++
			return
		}
	}
	if len(r.Tools) >= most {
		r.Others++
		return
	}
	r.Tools = append(r.Tools, tally{tool, 1})
}

// touches takes in what was done to a file, in the place where it was first
// touched.
func (r *row) touches(c change, most int) {
	for i := range r.Files {
		if r.Files[i].Path == c.Path {
			r.Files[i] = c
			return
		}
	}
	if len(r.Files) >= most {
		r.More++
		return
	}
	r.Files = append(r.Files, c)
}

// ended says in words how a turn ended that has no conclusion.
func (r *row) ended() string {
	switch r.End {
	case longrein.TurnEnded:
		return "no text"
	case longrein.TurnFailed:
		return "failed"
	}
	return "interrupted"
}

// cut reports whether the turn was cut off after its last text.
func (r *row) cut() bool {
	return r.End == longrein.TurnInterrupted || r.End == longrein.TurnFailed
}

// names lists the files, and how many more there are.
func names(files []change, more, most int) string {
	var list []string
	for i, c := range files {
		if i == most {
			more += len(files) - most
			break
		}
		list = append(list, c.String())
	}
	return strings.Join(list, ", ") + andMore(more)
}
