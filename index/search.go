package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Hit is a thread that a search found, and the place in it that tells most.
type Hit struct {
	Entry
	Kind Kind
	Turn int   // that the place is in, 0 for the name
	Seq  int64 // its record, 0 for the name
	// Hidden is set when a rollback keeps the place from the model.
	Hidden bool
	Text   string   // of the place, on one line
	Marks  [][2]int // where in Text the words are: from, to
}

// Search returns the threads of q in which all words are found, in their names,
// inputs, messages, tool calls or the beginnings of outputs; of a fork, in what it
// does not share. What matches best comes first: a name before what was asked,
// and that before all else, rare words before common ones, and then the newest.
//
// A word of three letters or more is also found as the beginning of another; "words
// in quotes" are found as they stand. Case does not matter. The error is [ErrWords]
// when text has no words, or too many. It shows what the last [Index.Sync] found.
func (x *Index) Search(ctx context.Context, q Query, text string) ([]Hit, error) {
	terms, err := parse(x.limits, text)
	if err != nil {
		return nil, err
	}
	var found []Hit
	err = x.mended(ctx, func() (err error) {
		found, err = x.search(ctx, q, terms)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search threads: %w", err)
	}
	return found, nil
}

func (x *Index) search(ctx context.Context, q Query, terms []term) ([]Hit, error) {
	total, err := x.count(ctx)
	if err != nil {
		return nil, err
	}
	docs := map[int64]float64{} // by pack
	var threads map[int64]float64
	for i := range terms {
		found, err := x.places(ctx, &terms[i], total)
		if err != nil {
			return nil, err
		}
		best := map[int64]float64{}
		for doc, w := range found {
			docs[doc] += w
			best[threadOf(doc)] = max(best[threadOf(doc)], w)
		}
		threads = both(threads, best)
	}
	order, err := x.ranked(ctx, threads)
	if err != nil {
		return nil, err
	}
	rows, err := x.asked(ctx, q, order)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(rows))
	for _, r := range rows {
		h, err := x.hit(ctx, r, docs, terms)
		if err != nil {
			return nil, err
		}
		hits = append(hits, h)
	}
	return hits, nil
}

// The columns of the full-text table, and how much more a word counts there.
var columns = []struct {
	filter string
	weight float64
}{{"", 1}, {"asked : ", 3}, {"name : ", 8}}

// places returns the packs that a term is in, and how much it counts there.
func (x *Index) places(ctx context.Context, t *term, total int) (map[int64]float64, error) {
	found := map[int64]float64{}
	for _, c := range columns {
		err := x.rows(ctx, func(rows *sql.Rows) (bool, error) {
			var doc int64
			err := rows.Scan(&doc)
			found[doc] = c.weight
			return true, err
		}, "select rowid from words where words match ?", c.filter+t.match())
		if err != nil {
			return nil, err
		}
	}
	threads := map[int64]bool{}
	for doc := range found {
		threads[threadOf(doc)] = true
	}
	t.worth = math.Log(1 + float64(total)/float64(max(len(threads), 1)))
	for doc := range found {
		found[doc] *= t.worth
	}
	return found, nil
}

// both adds scores of what is in both; a nil map is everything.
func both(a, b map[int64]float64) map[int64]float64 {
	if a == nil {
		return b
	}
	out := map[int64]float64{}
	for n, score := range a {
		if more, ok := b[n]; ok {
			out[n] = score + more
		}
	}
	return out
}

// scored is a thread with its score.
type scored struct {
	n       int64
	score   float64
	updated int64
}

// fewRows is about where looking rows up one by one takes as long as a walk over all
// of 10,000.
const fewRows = 500 // fixed: either way gives the same

// ranked returns the threads, the best first and the newest of equals.
func (x *Index) ranked(ctx context.Context, threads map[int64]float64) ([]scored, error) {
	out := make([]scored, 0, len(threads))
	each := func(rows *sql.Rows) (bool, error) {
		var s scored
		err := rows.Scan(&s.n, &s.updated)
		if score, ok := threads[s.n]; ok {
			s.score = score
			out = append(out, s)
		}
		return true, err
	}
	var err error
	if len(threads) > fewRows {
		err = x.rows(ctx, each, "select n, updated from threads")
	} else {
		for n := range threads {
			err = errors.Join(err, x.rows(ctx, each, "select n, updated from threads where n = ?", n))
		}
	}
	slices.SortFunc(out, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.updated, a.updated), cmp.Compare(b.n, a.n))
	})
	return out, err
}

// row is a thread that was found.
type row struct {
	n int64
	Entry
}

// asked returns the rows of threads that q asks for, in their order. The first few
// are looked up; when that is not enough all are read.
func (x *Index) asked(ctx context.Context, q Query, threads []scored) ([]row, error) {
	var out []row
	var all map[int64]Entry
	for i, s := range threads {
		if q.Limit > 0 && len(out) == q.Limit {
			break
		}
		if i == fewRows {
			var err error
			if all, err = x.matching(ctx, q); err != nil {
				return nil, err
			}
		}
		e, ok := all[s.n]
		if all == nil {
			var err error
			if e, err = x.entry(ctx, s.n); err != nil {
				return nil, err
			}
			ok = q.match(&e)
		}
		if ok {
			out = append(out, row{s.n, e})
		}
	}
	return out, nil
}

// matching returns all rows that q asks for, by number.
func (x *Index) matching(ctx context.Context, q Query) (map[int64]Entry, error) {
	out := map[int64]Entry{}
	err := x.rows(ctx, func(rows *sql.Rows) (bool, error) {
		n, e, err := scanNumbered(rows)
		if err == nil && q.match(&e) {
			out[n] = e
		}
		return true, err
	}, "select n, entry from threads")
	return out, err
}

func (x *Index) entry(ctx context.Context, n int64) (e Entry, err error) {
	err = x.rows(ctx, func(rows *sql.Rows) (bool, error) {
		_, e, err = scanNumbered(rows)
		return false, err
	}, "select n, entry from threads where n = ?", n)
	return e, err
}

func scanNumbered(rows *sql.Rows) (n int64, e Entry, err error) {
	var packed sql.RawBytes
	if err = rows.Scan(&n, &packed); err == nil {
		err = e.unpack(packed)
	}
	return n, e, err
}

// hit finds the place to show of a thread.
func (x *Index) hit(ctx context.Context, r row, docs map[int64]float64, terms []term) (Hit, error) {
	h := Hit{Entry: r.Entry}
	doc, err := x.best(ctx, r.n, docs)
	if err != nil {
		return h, err
	}
	ps, err := x.passages(ctx, doc)
	if err != nil {
		return h, err
	}
	p := choose(ps, terms)
	h.Kind, h.Turn, h.Seq = p.kind, p.turn, p.seq
	h.Text, h.Marks = snippet(x.limits, p.text, terms)
	h.Hidden, err = x.hidden(ctx, r.n, p.seq)
	return h, err
}

// best is the pack of a thread that says most.
func (x *Index) best(ctx context.Context, n int64, docs map[int64]float64) (best int64, err error) {
	err = x.rows(ctx, func(rows *sql.Rows) (bool, error) {
		var doc int64
		err := rows.Scan(&doc)
		if docs[doc] > docs[best] {
			best = doc
		}
		return true, err
	}, "select doc from packs where doc >= ? and doc < ? order by doc", firstPack(n), firstPack(n+1))
	return best, err
}

func (x *Index) passages(ctx context.Context, doc int64) (ps []passage, err error) {
	err = x.rows(ctx, func(rows *sql.Rows) (bool, error) {
		var packed sql.RawBytes
		err := rows.Scan(&packed)
		if err == nil {
			ps, err = unpackPassages(packed)
		}
		return false, err
	}, "select pack from packs where doc = ?", doc)
	if err == nil && len(ps) == 0 {
		err = errors.Join(errPacked, errors.New("a text that was found is not there"))
	}
	return ps, err
}

// hidden reports whether a rollback keeps a record from the model.
func (x *Index) hidden(ctx context.Context, n, seq int64) (bool, error) {
	if seq == 0 {
		return false, nil
	}
	last, out := int64(math.MaxInt64), false // the line of records that count, from its end
	err := x.rows(ctx, func(rows *sql.Rows) (bool, error) {
		var b back
		if err := rows.Scan(&b.seq, &b.to); err != nil {
			return false, err
		}
		if b.seq > last {
			return true, nil // taken back itself
		}
		out = seq < b.seq && seq > b.to
		last = b.to
		return seq <= b.to, nil
	}, "select seq, dest from backs where n = ? order by seq desc", n)
	return out, err
}
