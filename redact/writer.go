package redact

import (
	"bytes"
	"io"
)

// held is how much of an output waits for its line to end. It is more than any
// secret has in one line; one that is cut by it, or spans lines and is not held
// together by a private key's own marks, passes.
const held = 256 << 10 // fixed: nothing is lost, it is only passed on earlier

// Writer returns a writer that passes on to w what is written to it, without
// secrets. Lines are passed on when they are whole; Close passes on what is left,
// and closes nothing. It is not safe for concurrent use.
func (r *Redactor) Writer(w io.Writer) io.WriteCloser { return &writer{r: r, w: w} }

type writer struct {
	r   *Redactor
	w   io.Writer
	buf []byte
}

// Write takes all of p.
func (w *writer) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	end := bytes.LastIndexByte(w.buf, '\n') + 1
	if open := openKey(w.buf[:end]); open >= 0 {
		end = open
	}
	if len(w.buf)-end > held {
		end = len(w.buf)
	}
	return len(p), w.pass(end)
}

// openKey returns where a private key begins that has not ended, -1 for none.
func openKey(b []byte) int {
	begin := bytes.LastIndex(b, []byte(keyBegin))
	if begin < 0 || bytes.Contains(b[begin:], []byte(keyEnd)) || !bytes.Contains(b[begin:], []byte("PRIVATE KEY")) {
		return -1
	}
	return begin
}

// pass passes on the first n bytes.
func (w *writer) pass(n int) error {
	if n == 0 {
		return nil
	}
	_, err := io.WriteString(w.w, w.r.Text(string(w.buf[:n])))
	w.buf = append(w.buf[:0], w.buf[n:]...)
	return err
}

// Close passes on what is left.
func (w *writer) Close() error { return w.pass(len(w.buf)) }
