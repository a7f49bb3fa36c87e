package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein/index"
)

func TestPicker(t *testing.T) {
	tests := map[string]struct {
		typed string
		want  string // "" when nothing is chosen
		shown []string
	}{
		"Enter is the newest of this folder":        {"\n", "here-0", []string{"  1  here", "  4       ", "Enter for 1"}},
		"a number":                                  {"4\n", "there-0", nil},
		"words, and then a number":                  {"parser\n2\n", "found-1", []string{"turn 3, said: the parser"}},
		"words that nothing has, and then all":      {"nothing\n\n\n", "here-0", []string{"nothing was found; other words"}},
		"what is no word is said":                   {"***\n2\n", "here-1", []string{"a word needs a letter"}},
		"a number that is not there are words":      {"77\n\n2\n", "here-1", []string{"nothing was found"}},
		"q leaves":                                  {"q\n", "", nil},
		"so does the end of input":                  {"", "", nil},
		"no more than the limit are offered":        {"6\n\n2\n", "here-1", []string{"nothing was found"}},
		"what others wrote cannot steer a terminal": {"evil\n1\n", "evil", []string{"\uFFFD[2J"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			p := picker{in: bufio.NewReader(strings.NewReader(tt.typed)), out: &out, folder: "/here", most: 5, list: some, search: found}
			id, err := p.choose()
			if id != tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, errLeft) {
				t.Errorf("chosen is %q, %v; want %q\n%s", id, err, tt.want, out.String())
			}
			for _, text := range tt.shown {
				if !strings.Contains(out.String(), text) {
					t.Errorf("%q is not shown:\n%s", text, out.String())
				}
			}
		})
	}
}

// some lists three threads of /here and ten of /there.
func some(q index.Query) (out []index.Entry, err error) {
	for _, f := range []struct {
		name string
		n    int
	}{{"here", 3}, {"there", 10}} {
		for i := range f.n {
			if q.Cwd == "" || q.Cwd == "/"+f.name {
				out = append(out, index.Entry{ID: fmt.Sprint(f.name, "-", i), Cwd: "/" + f.name, First: "words", Updated: time.Now()})
			}
		}
	}
	return out[:min(len(out), q.Limit)], nil
}

func found(_ index.Query, words string) ([]index.Hit, error) {
	switch words {
	case "parser":
		return []index.Hit{{Entry: index.Entry{ID: "found-0"}}, {Entry: index.Entry{ID: "found-1"}, Kind: index.KindSaid, Turn: 3, Text: "the parser"}}, nil
	case "evil":
		return []index.Hit{{Entry: index.Entry{ID: "evil", Name: "\x1b[2J"}}}, nil
	case "***":
		return nil, fmt.Errorf("%w: a word needs a letter or a digit", index.ErrWords)
	}
	return nil, nil
}
