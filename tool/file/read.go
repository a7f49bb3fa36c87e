package file

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"unicode/utf8"

	"github.com/longrein/longrein/tool/output"
)

// Page is a part of a text file. Lines count from 1.
type Page struct {
	Text        string // valid UTF-8, whole lines unless Long
	First, Last int    // the lines in Text; Last < First when there are none
	Total       int    // lines of the file
	Left        int64  // bytes of the wanted lines that did not fit
	Long        bool   // the line First alone did not fit and is cut
	Invalid     bool   // bytes that are not UTF-8 are shown as U+FFFD
	Hash        string // SHA-256 of the whole file in hexadecimal
}

// Read returns up to count lines of the file from line first on, within budget
// bytes. A count of 0 means to the end. Files over most bytes are refused, and
// so is what is not a text file.
func Read(path string, first, count, budget int, most int64) (Page, error) {
	f, err := open(path, most)
	if err != nil {
		return Page{}, err
	}
	defer f.Close()
	p := pager{first: max(first, 1), count: count, budget: budget}
	h := sha256.New()
	if err := p.read(io.TeeReader(io.LimitReader(f, most+1), h), most); err != nil {
		return Page{}, fmt.Errorf("%s %w", path, err)
	}
	page := p.page()
	page.Hash = hex.EncodeToString(h.Sum(nil))
	return page, nil
}

// open opens a regular file of at most most bytes.
func open(path string, most int64) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s does not exist", path)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s may not be read", path)
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder; use list_files", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file but %s", path, info.Mode().Type())
	case ofProcesses(path):
		return nil, processes(path)
	case info.Size() > most:
		return nil, tooLarge(path, info.Size(), most)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%s may not be read", path)
	}
	return f, err
}

func processes(path string) error {
	return fmt.Errorf("%s tells of running processes and is not shown here; use exec_command", path)
}

func tooLarge(path string, size, most int64) error {
	return fmt.Errorf("%s has %s, more than the limit file-read of %s; use search_files, or exec_command with head, tail or sed -n",
		path, output.Size(size), output.Size(most))
}

// pager collects a page while it counts the lines of a whole file.
type pager struct {
	first, count, budget int

	buf   []byte // the wanted lines, or their start
	left  int64  // bytes of wanted lines that are not in buf
	lines int    // ended so far
	open  bool   // the line after them has begun
	seen  int64
}

func (p *pager) read(r io.Reader, most int64) error {
	br := bufio.NewReaderSize(r, 64<<10)
	start, _ := br.Peek(8 << 10) // fixed: where text differs from other files
	if output.Binary(start) {
		return fmt.Errorf("is not text but %s, starting with %s", http.DetectContentType(start), output.Escaped(start, 32)) // fixed: enough to see what it is
	}
	for {
		piece, err := br.ReadSlice('\n')
		p.take(piece)
		if p.seen > most {
			return fmt.Errorf("gives more than the limit file-read of %s", output.Size(most))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func (p *pager) take(piece []byte) {
	if len(piece) == 0 {
		return
	}
	p.seen += int64(len(piece))
	if n := p.lines + 1; n >= p.first && (p.count <= 0 || n < p.first+p.count) {
		room := min(len(piece), p.budget+1-len(p.buf))
		p.buf = append(p.buf, piece[:room]...)
		p.left += int64(len(piece) - room)
	}
	p.open = piece[len(piece)-1] != '\n'
	if !p.open {
		p.lines++
	}
}

func (p *pager) page() Page {
	total := p.lines
	if p.open {
		total++
	}
	end := len(p.buf)
	page := Page{First: p.first, Total: total}
	if fit := output.Prefix(p.buf, p.budget); fit < end || p.left > 0 {
		end = bytes.LastIndexByte(p.buf[:fit], '\n') + 1
		if end == 0 {
			end, page.Long = fit, true
		}
	}
	page.Left = p.left + int64(len(p.buf)-end)
	text := p.buf[:end]
	page.Invalid = !utf8.Valid(text)
	page.Text = output.Clean(text)
	page.Last = p.first - 1 + bytes.Count(text, []byte{'\n'})
	if end > 0 && text[end-1] != '\n' {
		page.Last++
	}
	return page
}
