package index

import (
	"database/sql"
	"errors"
	"strings"
)

// A thread's packs are numbered from its own number on.
const packsShift = 20

// firstPack is the number of a thread's first pack, which is its name.
func firstPack(n int64) int64 { return n << packsShift }

func threadOf(doc int64) int64 { return doc >> packsShift }

// between stands between passages, so that no phrase is found across them. It is no
// word of any text.
const between = "\uE000"

// putTexts adds to what can be searched of a thread.
func putTexts(tx *sql.Tx, n int64, c *change) error {
	for _, b := range c.backs {
		if _, err := tx.Exec("insert or replace into backs (n, seq, dest) values (?, ?, ?)", n, b.seq, b.to); err != nil {
			return err
		}
	}
	if c.named {
		if err := putPack(tx, firstPack(n), []passage{{kind: KindName, text: c.Name}}); err != nil {
			return err
		}
	}
	if len(c.passages) == 0 {
		return nil
	}
	doc, open, err := lastPack(tx, n)
	if err != nil {
		return err
	}
	for _, p := range c.passages {
		if open = append(open, p); sizeOf(open) < packSize {
			continue
		}
		if err := putPack(tx, doc, open); err != nil {
			return err
		}
		doc, open = doc+1, nil
	}
	return putPack(tx, doc, open)
}

// lastPack returns the pack that a thread's next passages go into.
func lastPack(tx *sql.Tx, n int64) (doc int64, ps []passage, err error) {
	var packed []byte
	err = tx.QueryRow("select doc, pack from packs where doc > ? and doc < ? order by doc desc limit 1",
		firstPack(n), firstPack(n+1)).Scan(&doc, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return firstPack(n) + 1, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	ps, err = unpackPassages(packed)
	if sizeOf(ps) >= packSize {
		return doc + 1, nil, err
	}
	return doc, ps, err
}

// putPack writes a pack and what it is found by, in place of what it held.
func putPack(tx *sql.Tx, doc int64, ps []passage) error {
	if len(ps) == 0 {
		return nil
	}
	if err := erasePack(tx, doc); err != nil {
		return err
	}
	packed, err := packPassages(ps)
	if err != nil {
		return err
	}
	if _, err := tx.Exec("insert into packs (doc, pack) values (?, ?)", doc, packed); err != nil {
		return err
	}
	var name, asked, work strings.Builder
	for _, p := range ps {
		switch p.kind {
		case KindName:
			spell(&name, p.text)
		case KindAsked:
			spell(&asked, p.text)
		default:
			spell(&work, p.text)
		}
	}
	_, err = tx.Exec("insert into words (rowid, name, asked, work) values (?, ?, ?, ?)", doc, name.String(), asked.String(), work.String())
	return err
}

// spell writes a text as the full-text table gets it: its tokens.
func spell(w *strings.Builder, text string) {
	for t := range tokens(text) {
		w.WriteString(t.word)
		w.WriteByte(' ')
	}
	w.WriteString(between + " ")
}

func erasePack(tx *sql.Tx, doc int64) error {
	if _, err := tx.Exec("delete from words where rowid = ?", doc); err != nil {
		return err
	}
	_, err := tx.Exec("delete from packs where doc = ?", doc)
	return err
}

// erase removes all that can be searched of a thread.
func erase(tx *sql.Tx, n int64) error {
	if _, err := tx.Exec("delete from words where rowid in (select doc from packs where doc >= ? and doc < ?)", firstPack(n), firstPack(n+1)); err != nil {
		return err
	}
	if _, err := tx.Exec("delete from packs where doc >= ? and doc < ?", firstPack(n), firstPack(n+1)); err != nil {
		return err
	}
	_, err := tx.Exec("delete from backs where n = ?", n)
	return err
}
