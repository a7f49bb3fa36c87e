package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/longrein/longrein/harness"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
)

// picker lets a person choose a thread: a numbered list, narrowed by words.
type picker struct {
	in     *bufio.Reader
	out    io.Writer
	folder string // whose threads come first
	most   int
	list   func(index.Query) ([]index.Entry, error)
	search func(index.Query, string) ([]index.Hit, error)
}

// errLeft says that the person chose nothing.
var errLeft = errors.New("no thread was chosen")

// canPick reports whether a person can choose.
func (c *cli) canPick() bool { return terminal(c.in) && terminal(c.err) }

// pick asks which thread is meant, and what is to be said to it. With one thread or
// none there is nothing to ask, and the id is empty.
func (c *cli) pick(ctx context.Context, h *harness.Harness) (id, prompt string, err error) {
	folder, _ := c.cwd() // one that is gone only means that its threads do not go first
	p := picker{
		in: bufio.NewReader(c.in), out: c.err, folder: folder, most: c.bounds().Int(limit.PickerRows),
		list:   func(q index.Query) ([]index.Entry, error) { return h.List(ctx, q) },
		search: func(q index.Query, text string) ([]index.Hit, error) { return h.Search(ctx, q, text) },
	}
	if some, err := p.list(index.Query{Limit: 2}); err != nil || len(some) < 2 {
		return "", "", err
	}
	if id, err = p.choose(); err != nil {
		return "", "", err
	}
	fmt.Fprint(c.err, "what next? (Enter: go on with what was cut off) ")
	prompt, err = p.line()
	return id, prompt, err
}

// line reads what the person types. The end of input is the wish to leave.
func (p *picker) line() (string, error) {
	line, err := p.in.ReadString('\n')
	if err != nil {
		fmt.Fprintln(p.out)
		return "", errLeft
	}
	return strings.TrimSpace(line), nil
}

// choose shows threads until one of them is chosen.
func (p *picker) choose() (id string, err error) {
	rows, err := p.newest()
	for err == nil {
		p.show(rows)
		line, err := p.line()
		if err != nil {
			return "", err
		}
		n, notNumber := strconv.Atoi(line)
		switch {
		case line == "q":
			return "", errLeft
		case line == "" && len(rows) > 0:
			return rows[0].ID, nil
		case notNumber == nil && n >= 1 && n <= len(rows):
			return rows[n-1].ID, nil
		}
		if rows, err = p.find(line); err != nil {
			return "", err
		}
	}
	return "", err
}

// newest are the threads of the folder and then the others, the newest first.
func (p *picker) newest() ([]index.Hit, error) {
	var rows []index.Hit
	for _, q := range []index.Query{{Cwd: p.folder, Limit: p.most}, {Limit: 2 * p.most}} {
		found, err := p.list(q)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			if len(rows) < p.most && (q.Cwd != "" || e.Cwd != p.folder) {
				rows = append(rows, index.Hit{Entry: e})
			}
		}
	}
	return rows, nil
}

// find are the threads in which words are found; without words all are.
func (p *picker) find(words string) ([]index.Hit, error) {
	if words == "" {
		return p.newest()
	}
	hits, err := p.search(index.Query{Limit: p.most}, words)
	if errors.Is(err, index.ErrWords) {
		fmt.Fprintln(p.out, err)
		return p.newest()
	}
	return hits, err
}

func (p *picker) show(rows []index.Hit) {
	fmt.Fprintln(p.out)
	for i, r := range rows {
		where := "   "
		if r.Cwd == p.folder {
			where = "here"
		}
		fmt.Fprintf(p.out, "%3d  %-4s  %-8s  %s\n", i+1, where, ago(time.Since(r.Updated)), titleIn(r.Entry, columns(p.out)-25)) // fixed: what stands before it
		if r.Text != "" && r.Kind != index.KindName {
			fmt.Fprintln(p.out, "           "+firstLine(place(r)+": "+r.Text, min(columns(p.out)-13, 100))) // fixed: as above
		}
	}
	question := "number, words to search, Enter for 1, q to leave: "
	if len(rows) == 0 {
		question = "nothing was found; other words, Enter for all, q to leave: "
	}
	fmt.Fprint(p.out, question)
}
