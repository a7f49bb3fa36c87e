package index_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
	"github.com/longrein/longrein/limit"
)

func TestAWriterIsWaitedForSoLong(t *testing.T) {
	for busy, ok := range map[int64]bool{0: false, 10_000: true} {
		d, dir := newDisk(), t.TempDir()
		d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
		fill(t, dir, d)
		x, err := index.Open(dir, index.Options{Logs: d.logs(), Limits: limit.Set{limit.IndexBusy.Name: busy}})
		if err != nil {
			t.Fatal(err)
		}
		d.write(place(1), threadID(1), longrein.Renamed{Name: "new"})
		release := writing(t, filepath.Join(dir, "index-3.db"))
		time.AfterFunc(200*time.Millisecond, release)
		if _, err := x.Sync(context.Background(), index.Quick); (err == nil) != ok {
			t.Errorf("with %d ms to wait: %v", busy, err)
		}
		release()
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// writing begins to write to a database, and returns what ends that.
func writing(t *testing.T, file string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(context.Background(), "begin immediate"); err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		_, _ = conn.ExecContext(context.Background(), "rollback")
		conn.Close()
		db.Close()
	})
}
