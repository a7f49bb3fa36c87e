package index

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"maps"
	"path"
	"time"
)

// stampOf changes when a log does: size and time of a log that grows both go up.
func stampOf(size int64, modified time.Time) int64 { return nanos(modified) + size }

func (x *Index) folders(ctx context.Context) (map[string]int64, error) {
	out := map[string]int64{}
	err := x.rows(ctx, func(rows *sql.Rows) (bool, error) {
		var dir string
		var stamp int64
		err := rows.Scan(&dir, &stamp)
		out[dir] = stamp
		return true, err
	}, "select dir, stamp from folders")
	return out, err
}

// stamps returns those of the logs that the rows of a folder are of, by id.
func (x *Index) stamps(ctx context.Context, dir string) (map[string]int64, error) {
	out := map[string]int64{}
	err := x.rows(ctx, func(rows *sql.Rows) (bool, error) {
		var id string
		var stamp int64
		err := rows.Scan(&id, &stamp)
		out[id] = stamp
		return true, err
	}, "select id, stamp from threads where dir = ?", dir)
	return out, err
}

// get returns the row of a thread, the zero entry when there is none.
func (x *Index) get(ctx context.Context, id string) (e Entry, err error) {
	err = x.rows(ctx, func(rows *sql.Rows) (bool, error) {
		return false, scan(rows, &e)
	}, "select entry from threads where id = ?", id)
	return e, err
}

// scan reads the entry of a row.
func scan(rows *sql.Rows, e *Entry) error {
	var packed sql.RawBytes
	if err := rows.Scan(&packed); err != nil {
		return err
	}
	return e.unpack(packed)
}

// save writes what was found, and what also does, in one transaction. It is short,
// and what was read is not thrown away when ctx has ended.
func (x *Index) save(ctx context.Context, found []change, also func(*sql.Tx) error) error {
	return x.write(context.WithoutCancel(ctx), func(tx *sql.Tx) error {
		for i := range found {
			if err := put(tx, &found[i]); err != nil {
				return err
			}
		}
		if also == nil {
			return nil
		}
		return also(tx)
	})
}

// put writes a thread's row and texts.
func put(tx *sql.Tx, c *change) error {
	n, known, err := number(tx, c.ID)
	if err == nil && known && c.anew {
		err = erase(tx, n)
	}
	if err != nil {
		return err
	}
	if _, err := tx.Exec("delete from threads where id = ?", c.ID); err != nil {
		return err
	}
	_, err = tx.Exec("insert into threads (updated, id, dir, stamp, n, entry) values (?, ?, ?, ?, ?, ?)",
		nanos(c.Updated), c.ID, path.Dir(c.Path), stampOf(c.Size, c.Modified), n, c.pack())
	if err != nil {
		return err
	}
	return putTexts(tx, n, c)
}

// number returns that of a thread, a new one if it is not known.
func number(tx *sql.Tx, id string) (n int64, known bool, err error) {
	err = tx.QueryRow("select n from threads where id = ?", id).Scan(&n)
	if !errors.Is(err, sql.ErrNoRows) {
		return n, true, err
	}
	err = tx.QueryRow("select coalesce(max(n), 0) + 1 from threads").Scan(&n)
	return n, false, err
}

// settle notes a folder's stamp and the folders in it, which may not have been
// looked at yet, and removes the rows that are gone from it.
func settle(tx *sql.Tx, f *listing) error {
	for _, dir := range f.below {
		if _, err := tx.Exec("insert or ignore into folders (dir, stamp) values (?, 0)", dir); err != nil {
			return err
		}
	}
	if _, err := tx.Exec("insert or replace into folders (dir, stamp) values (?, ?)", f.dir, f.stamp); err != nil {
		return err
	}
	return remove(tx, f.dir, maps.Keys(f.gone))
}

// forget removes a folder and its rows.
func forget(tx *sql.Tx, dir string, gone map[string]int64) error {
	if _, err := tx.Exec("delete from folders where dir = ?", dir); err != nil {
		return err
	}
	return remove(tx, dir, maps.Keys(gone))
}

// remove deletes rows of a folder, with all that can be searched of them. A thread
// that has a row elsewhere by now is not in it.
func remove(tx *sql.Tx, dir string, gone iter.Seq[string]) error {
	for id := range gone {
		var n int64
		err := tx.QueryRow("delete from threads where id = ? and dir = ? returning n", id, dir).Scan(&n)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = erase(tx, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
