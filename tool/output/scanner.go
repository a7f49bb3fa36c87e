package output

import "bytes"

// Line is a line of the output. Number counts from 1 and Offset in bytes from 0.
type Line struct {
	Number int64
	Offset int64
	Text   string // clean and without its end, cut to the Line option
}

// signs are what a line that tells of an error usually holds.
var signs = [][]byte{
	[]byte("error"), []byte("Error"), []byte("ERROR"), []byte("FAIL"), []byte("fatal"),
	[]byte("FATAL"), []byte("panic"), []byte("Exception"), []byte("Traceback"), []byte("undefined:"),
}

// scanner collects the first lines that look like errors from a stream, in
// bounded memory. Lines that begin before from are always shown and not kept.
type scanner struct {
	width, most int
	from        int64
	found       []Line
	cur         []byte // the start of the line being read
	number      int64  // of finished lines
	offset      int64  // of the line being read
	pos         int64
}

func (s *scanner) scan(p []byte) {
	if len(s.found) >= s.most {
		return
	}
	for len(p) > 0 {
		piece, rest, ended := bytes.Cut(p, []byte{'\n'})
		s.cur = append(s.cur, piece[:min(len(piece), s.width-len(s.cur))]...)
		s.pos += int64(len(p) - len(rest))
		p = rest
		if ended {
			s.end()
		}
	}
}

func (s *scanner) end() {
	if len(s.found) < s.most && s.offset >= s.from && tells(s.cur) {
		text := s.cur[:Prefix(s.cur, s.width)]
		s.found = append(s.found, Line{s.number + 1, s.offset, Clean(bytes.TrimRight(text, "\r"))})
	}
	s.cur = s.cur[:0]
	s.number++
	s.offset = s.pos
}

func tells(line []byte) bool {
	for _, sign := range signs {
		if bytes.Contains(line, sign) {
			return true
		}
	}
	return false
}
