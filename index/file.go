package index

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"

	"github.com/longrein/longrein/limit"
)

// version is that of the schema, of what the packed column holds, and of Fold.
const version = 3

// Rows lie in the order in which they are listed, so that a list is one walk. What
// can be searched has tables of its own, which a list never reads. A thread's packs
// have the numbers from n << 20 on, in packs and in words; the first of them is its
// name.
var schema = fmt.Sprintf(`
create table threads (
	updated integer not null, -- Unix nanoseconds
	id      text not null,
	dir     text not null,
	stamp   integer not null, -- of the log when it was last looked at
	n       integer not null, -- of the thread, for the tables below
	entry   blob not null,
	primary key (updated desc, id desc)
) without rowid;
create unique index threads_id on threads (id);
create index threads_dir on threads (dir, id, stamp);
create index threads_n on threads (n);
create table folders (
	dir   text primary key,
	stamp integer not null    -- of the folder when it was last settled, else 0
) without rowid;
create table packs (
	doc  integer primary key,
	pack blob not null        -- passages
);
create table backs (          -- rollbacks
	n    integer not null,
	seq  integer not null,
	dest integer not null,    -- the record that it went back to
	primary key (n, seq)
) without rowid;
create virtual table words using fts5 (name, asked, work, content = '', contentless_delete = 1, tokenize = 'ascii');
create table builder (        -- the process that makes the index in the background
	until integer not null    -- it is believed to live, in Unix milliseconds
);
insert into builder (until) values (0);
pragma user_version = %d;
`, version)

// prepare makes sure that the index's file exists, readable for its owner alone,
// and returns its path.
func prepare(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, fmt.Sprintf("index-%d.db", version))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return path, nil // another process was first
	}
	if err != nil {
		return "", err
	}
	// A journal without its database would be played into the new one.
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", errors.Join(err, f.Close())
		}
	}
	return path, f.Close()
}

// connect opens the file and makes the schema when it is empty. The caller holds
// the lock, or nobody else knows x yet.
func (x *Index) connect() (err error) {
	if x.path != "" {
		if x.info, err = os.Stat(x.path); err != nil {
			return err
		}
	}
	if x.db, err = sql.Open("sqlite", x.dsn()); err != nil {
		return err
	}
	x.db.SetMaxOpenConns(1) // an index in memory is its connection
	found, err := x.version()
	if err != nil || found == version {
		return err
	}
	return x.create()
}

func (x *Index) version() (n int, err error) {
	err = x.db.QueryRow("pragma user_version").Scan(&n)
	return n, err
}

// create makes the schema, unless another process just did.
func (x *Index) create() error {
	tx, err := x.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var found, tables int
	if err := tx.QueryRow("select user_version, (select count(*) from sqlite_schema) from pragma_user_version").Scan(&found, &tables); err != nil {
		return err
	}
	switch {
	case found == version:
		return nil
	case found != 0 || tables > 0:
		return errForeign
	}
	if _, err := tx.Exec(schema); err != nil {
		return err
	}
	return tx.Commit()
}

// dsn is the file's name with its settings. A write waits for other processes at
// its beginning, so that it cannot fail half-way.
func (x *Index) dsn() string {
	q := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {
			fmt.Sprintf("busy_timeout(%d)", x.limits.Of(limit.IndexBusy)),
			"page_size(16384)", // of a new file: a list reads it from end to end
			"journal_mode(wal)",
			"synchronous(normal)",
		},
	}
	if x.path == "" {
		return "file::memory:?" + q.Encode()
	}
	path := filepath.ToSlash(x.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive's letter comes first
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

var errForeign = errors.New("the file is not an index of threads")

// damaged reports whether err says that the file is not what we wrote.
func damaged(err error) bool {
	if errors.Is(err, errForeign) || errors.Is(err, errPacked) {
		return true
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	const corrupt, notADatabase = 11, 26 // SQLite's result codes
	code := e.Code() & 0xff              // without the extension
	return code == corrupt || code == notADatabase
}

// renew moves a damaged file aside, unless another process did that already, and
// begins a new one.
func (x *Index) renew(why error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.path == "" {
		return why
	}
	closed := x.db.Close()
	if now, err := os.Stat(x.path); err == nil && os.SameFile(x.info, now) {
		aside, err := moveAside(x.path)
		if err != nil {
			return errors.Join(fmt.Errorf("move the damaged file aside: %w", err), why, closed)
		}
		x.warn(fmt.Sprintf("the index of threads was damaged (%v); it was moved to %s and is made anew from the logs", why, aside))
	}
	if _, err := prepare(filepath.Dir(x.path)); err != nil {
		return err
	}
	return x.connect()
}

// moveAside renames a database with its journals.
func moveAside(path string) (string, error) {
	aside := path + ".damaged-" + time.Now().UTC().Format("20060102T150405.000")
	for _, suffix := range []string{"-shm", "-wal", ""} {
		err := os.Rename(path+suffix, aside+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return aside, nil
}
