package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
	"github.com/longrein/longrein/session"
)

// importer makes threads of files.
type importer struct {
	store *rollout.Store
	base  func(model string) string // the base instructions that threads go on with
	// redact takes secrets out of a text, and says how many; nil leaves them.
	redact func(string) (string, int)
	again  bool   // also of files that threads were made of before
	name   string // of the threads
}

// file makes threads of a file. With an error it says what was done up to there.
func (im *importer) file(ctx context.Context, path string) (*importReport, error) {
	f, err := regular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if own, err := isOwn(f); err != nil || own {
		return im.own(ctx, f, path, err)
	}
	done := &importReport{File: path}
	if done.Hash, err = hashOf(f); err != nil {
		return nil, err
	}
	if !im.again {
		if done.Threads, err = im.before(ctx, done.Hash); err != nil || len(done.Threads) > 0 {
			done.Already = err == nil
			return done, err
		}
	}
	if err := os.MkdirAll(im.store.Root, 0o700); err != nil {
		return nil, err
	}
	kept := &spool{dir: im.store.Root}
	defer kept.remove()
	rec, err := session.ReadKeeping(f, im.store.Limits, kept.keep)
	if err != nil {
		return nil, err
	}
	done.tell(rec, im.cleaner(new(int)))
	written, err := changed(f)
	if err != nil {
		return nil, err
	}
	for i, s := range rec.Sessions {
		if s.Started.IsZero() { // no time was recorded
			s.Started = written
		}
		t, err := im.session(ctx, s, &done.Report, longrein.Imported{
			Tool: string(rec.Format), Version: s.Version, File: filepath.Base(path), Hash: done.Hash, N: i + 1,
			Session: s.ID, Parent: s.Parent, Agent: s.Agent, Provider: s.Provider,
		}, kept)
		if err != nil {
			return done, err
		}
		done.Threads = append(done.Threads, t)
		kept = &spool{} // lines that are lost belong to no session; the first has them
	}
	return done, nil
}

// hashOf is the SHA-256 of a file, which is left at its start.
func hashOf(f *os.File) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	_, err := f.Seek(0, io.SeekStart)
	return hex.EncodeToString(h.Sum(nil)), err
}

// changed is when a file was last written to.
func changed(f *os.File) (time.Time, error) {
	info, err := f.Stat()
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime().UTC().Truncate(time.Millisecond), nil
}

// before finds the threads that were made of a file with that hash.
func (im *importer) before(ctx context.Context, hash string) ([]importedThread, error) {
	var found []importedThread
	for file, err := range im.store.Files() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // what cannot be read is none that can be named
		}
		if in, ok := im.imported(file.ID); ok && in.Hash == hash {
			if tail, err := im.store.Tail(file.ID); err == nil && tail.LastSeq >= in.Last { // otherwise it was cut off
				found = append(found, importedThread{Thread: file.ID, Session: in.Session, Agent: in.Agent, n: in.N})
			}
		}
	}
	return inOrder(found), nil
}

// imported is what a thread's log says of where it comes from, if it says so.
func (im *importer) imported(id string) (in longrein.Imported, ok bool) {
	for r, err := range im.store.Read(id) {
		if err != nil || r.Seq > 2 {
			break
		}
		if t, begins := r.Body.(longrein.Thread); begins && t.ID != id { // a fork of one
			break
		}
		if in, ok = r.Body.(longrein.Imported); ok {
			return in, true
		}
	}
	return in, false
}

// session makes a thread of a session.
func (im *importer) session(ctx context.Context, s *session.Session, r *session.Report, in longrein.Imported, kept *spool) (importedThread, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return importedThread{}, fmt.Errorf("make a thread id: %w", err)
	}
	w, err := im.begin(ctx, id.String())
	if err != nil {
		return importedThread{}, err
	}
	clean := im.cleaner(&w.secrets)
	in.Lines, in.Unread = r.Lines, r.Lost
	for _, c := range r.Passed {
		in.Passed += c.N
	}
	after := 2 + kept.lines
	in.Last = after
	for range s.Rest(after) {
		in.Last++
	}
	name := im.named(in.N)
	w.add(s.Begin(), im.first(s, id.String()), in)
	for r := range im.ahead(ctx, told(s, after, kept), clean) {
		w.fail(r.err)
		if w.err != nil || !w.add(r.time, r.body) {
			break
		}
	}
	if name != "" {
		w.add(w.now, clean(longrein.Renamed{Name: name}))
	}
	return importedThread{
		Thread: w.id, Name: cmp.Or(name, s.Title), Session: s.ID, Agent: s.Agent, Turns: s.Turns(), Steps: s.Steps(), Records: w.seq, Secrets: w.secrets,
	}, w.end()
}

// told are the records of a session: the lines that were kept of its file, and then
// its own, whose numbers go on from after.
func told(s *session.Session, after int64, kept *spool) iter.Seq[toldRecord] {
	return func(yield func(toldRecord) bool) {
		for line, err := range kept.all() {
			if !yield(toldRecord{time: s.Begin(), body: line, err: err}) {
				return
			}
		}
		for r := range s.Rest(after) {
			if !yield(toldRecord{time: r.Time, body: ours(r.Body, s)}) {
				return
			}
		}
	}
}

// cleaner takes the secrets out of records, and counts them.
func (im *importer) cleaner(n *int) func(longrein.Body) longrein.Body {
	if im.redact == nil {
		return func(b longrein.Body) longrein.Body { return b }
	}
	text := func(s string) string {
		clean, found := im.redact(s)
		*n += found
		return clean
	}
	return func(b longrein.Body) longrein.Body { return secretless(b, text) }
}

// named is the name for the nth thread of a file.
func (im *importer) named(n int) string {
	if im.name == "" || n == 1 {
		return im.name
	}
	return fmt.Sprintf("%s (%d)", im.name, n)
}

// first is the thread's own first record. What it goes on with are our base
// instructions: those of the recording speak of tools that are not here.
func (im *importer) first(s *session.Session, id string) longrein.Thread {
	t := s.Thread(id)
	t.Version, t.Base = version, im.base(t.Model)
	return t
}

// ours takes out of a record what would have the thread go on where it was
// recorded: its provider may be none of ours. What was sent there stays known.
func ours(b longrein.Body, s *session.Session) longrein.Body {
	own := func(set longrein.Settings) longrein.Settings {
		set.Provider, set.Base = "", s.Base
		return set
	}
	switch b := b.(type) {
	case longrein.Settings:
		return own(b)
	case longrein.Window:
		b.Settings = own(b.Settings)
		return b
	}
	return b
}

// logWriter appends to the log of a thread that is being made. After the first
// error it does nothing; end then removes the log.
type logWriter struct {
	ctx   context.Context
	store *rollout.Store
	log   *rollout.Log
	id    string
	now   time.Time
	batch []longrein.Body
	bytes int // of kept lines in it
	seq   int64
	err   error

	secrets int // that were left out
}

func (im *importer) begin(ctx context.Context, id string) (*logWriter, error) {
	log, err := im.store.Create(id)
	return &logWriter{ctx: ctx, store: im.store, log: log, id: id}, err
}

// add appends records with one time. It reports whether there can be more.
func (w *logWriter) add(now time.Time, bodies ...longrein.Body) bool {
	const most, mostBytes = 64, 1 << 20 // fixed: how much is written at once; all of it is
	if len(w.batch) >= most || w.bytes >= mostBytes || !now.Equal(w.now) {
		w.flush()
	}
	w.now = now
	for _, b := range bodies {
		if l, ok := b.(longrein.ImportedLine); ok {
			w.bytes += len(l.Text) + len(l.Bytes)
		}
	}
	w.batch = append(w.batch, bodies...)
	w.seq += int64(len(bodies))
	return w.err == nil
}

func (w *logWriter) flush() {
	w.fail(w.ctx.Err())
	if w.err == nil && len(w.batch) > 0 {
		_, err := w.log.Append(w.now, false, w.batch...)
		w.fail(err)
	}
	clear(w.batch)
	w.batch, w.bytes = w.batch[:0], 0
}

func (w *logWriter) fail(err error) { w.err = cmp.Or(w.err, err) }

// end makes the log durable, or removes one that is not whole.
func (w *logWriter) end() error {
	w.flush()
	w.fail(w.log.Close())
	if w.err != nil {
		return errors.Join(w.err, w.store.Remove(w.id))
	}
	return nil
}
