package index_test

import (
	"context"
	"database/sql"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/index"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestList(t *testing.T) {
	d := newDisk()
	d.write(place(1), threadID(1), begin(threadID(1), "/src", "fix the flaky test")...)
	d.write(place(1), threadID(2), begin(threadID(2), "/doc", "write the Guide")...)
	d.write(place(2), threadID(3), append(begin(threadID(3), "/src", "old"), index.Archive(true))...)
	d.write(place(2), threadID(4), append(begin(threadID(4), "/src", "more"), longrein.Renamed{Name: "Guide to tests"},
		longrein.Window{N: 1, Settings: longrein.Settings{Model: "sim:b"}})...)
	after := d.now
	d.write(place(1), threadID(1), longrein.Turn{N: 1, State: longrein.TurnEnded})

	tests := map[string]struct {
		q    index.Query
		want []int
	}{
		"newest record first, without the archive": {index.Query{}, []int{1, 4, 2}},
		"at most so many":                          {index.Query{Limit: 2}, []int{1, 4}},
		"of one folder":                            {index.Query{Cwd: "/src"}, []int{1, 4}},
		"of one model":                             {index.Query{Model: "sim:b"}, []int{4}},
		"of one branch":                            {index.Query{Branch: "main"}, []int{1, 4, 2}},
		"of no branch that there is":               {index.Query{Branch: "other"}, nil},
		"of a name, in any case":                   {index.Query{Name: "guide TO tests"}, []int{4}},
		"with a record since then":                 {index.Query{Since: after}, []int{1}},
		"with none since then":                     {index.Query{Until: after}, []int{4, 2}},
		"the archive":                              {index.Query{Archived: true}, []int{3}},
		"the archive and the others":               {index.Query{All: true}, []int{1, 4, 3, 2}},
		"a limit counts what is listed only":       {index.Query{Cwd: "/doc", Limit: 1}, []int{2}},
	}
	x := opened(t, d)
	synced(t, x, index.Quick)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var want []string
			for _, n := range tt.want {
				want = append(want, threadID(n))
			}
			if diff := cmp.Diff(want, ids(listed(t, x, tt.q))); diff != "" {
				t.Errorf("threads (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheFileIsForItsOwnerAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new folder #1?")
	d := newDisk()
	d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
	x := openedIn(t, dir, d)
	synced(t, x, index.Quick)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(f.Name(), "index-3.db") || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", f.Name(), info.Mode())
		}
	}
}

func TestADamagedFileIsMovedAsideAndMadeAnew(t *testing.T) {
	tests := map[string]func(*testing.T, string){
		"garbage": func(t *testing.T, file string) { overwrite(t, file, 0, strings.Repeat("no database ", 1000)) },
		"pages in the middle": func(t *testing.T, file string) {
			overwrite(t, file, 4096, strings.Repeat("\xff", 4096*20))
		},
		"cut in half": func(t *testing.T, file string) {
			if err := os.Truncate(file, 4096*3); err != nil {
				t.Fatal(err)
			}
		},
		"another program's database": func(t *testing.T, file string) {
			exec(t, file, "drop table threads; drop table folders; create table notes (a); pragma user_version = 0")
		},
		"a row that is not ours": func(t *testing.T, file string) { exec(t, file, "update threads set entry = x'ff'") },
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			d, dir := newDisk(), t.TempDir()
			for n := range 100 {
				d.write(place(1+n%20), threadID(n), begin(threadID(n), "/src", "one")...)
			}
			fill(t, dir, d)
			damage(t, filepath.Join(dir, "index-3.db"))

			var warnings []string
			x, err := index.Open(dir, index.Options{Logs: d.logs(), Warn: func(s string) { warnings = append(warnings, s) }})
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			synced(t, x, index.Quick)
			if got := listed(t, x, index.Query{}); len(got) != 100 {
				t.Errorf("%d threads listed, want all 100", len(got))
			}
			aside, _ := filepath.Glob(filepath.Join(dir, "*.damaged-*"))
			if len(aside) == 0 || len(warnings) != 1 || !strings.Contains(warnings[0], "moved to") {
				t.Errorf("moved aside: %q; warnings: %q", aside, warnings)
			}
		})
	}
}

// fill makes the index of d in dir and closes it.
func fill(t *testing.T, dir string, d *disk) {
	t.Helper()
	x, err := index.Open(dir, index.Options{Logs: d.logs()})
	if err != nil {
		t.Fatal(err)
	}
	synced(t, x, index.Quick)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

func overwrite(t *testing.T, file string, at int64, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte(text), at); err != nil {
		t.Fatal(err)
	}
}

func exec(t *testing.T, file, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func TestAnIndexThatIsInUseMayBeDamagedToo(t *testing.T) {
	d, dir := newDisk(), t.TempDir()
	for n := range 100 {
		d.write(place(1), threadID(n), begin(threadID(n), "/src", "one")...)
	}
	fill(t, dir, d)
	x := openedIn(t, dir, d)
	exec(t, filepath.Join(dir, "index-3.db"), "update threads set entry = x'ff'")
	if got := listed(t, x, index.Query{}); len(got) != 100 {
		t.Errorf("%d threads listed, want all 100", len(got))
	}
}

func TestSeveralMayUseOneFileAtOnce(t *testing.T) {
	d, dir := newDisk(), t.TempDir()
	for n := range 300 {
		d.write(place(1+n%20), threadID(n), begin(threadID(n), "/src", "one")...)
	}
	logs := index.Logs{FS: d.fs, Read: d.share}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			x, err := index.Open(dir, index.Options{Logs: logs})
			if err != nil {
				t.Error(err)
				return
			}
			defer x.Close()
			for range 3 {
				_, err1 := x.Sync(context.Background(), index.Rebuild)
				got, err2 := x.List(context.Background(), index.Query{})
				if err1 != nil || err2 != nil || len(got) != 300 {
					t.Errorf("%d threads, %v, %v", len(got), err1, err2)
				}
			}
		})
	}
	all.Wait()
}

func TestAFolderThatTakesNoFilesIsAnErrorAndMemoryHelps(t *testing.T) {
	d := newDisk()
	d.write(place(1), threadID(1), begin(threadID(1), "/src", "one")...)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := index.Open(filepath.Join(blocked, "below"), index.Options{Logs: d.logs()}); err == nil {
		t.Fatal("an index was opened below a file")
	}
	x := openedIn(t, "", d)
	synced(t, x, index.Quick)
	if got := ids(listed(t, x, index.Query{})); !slices.Equal(got, []string{threadID(1)}) {
		t.Errorf("got %q", got)
	}
}

func TestAStoppedLookKeepsWhatItHas(t *testing.T) {
	d := newDisk()
	for n := range 10 {
		d.write(place(1+n), threadID(n), begin(threadID(n), "/src", "one")...)
	}
	ctx, stop := context.WithCancel(context.Background())
	logs := d.logs()
	read := logs.Read
	logs.Read = func(id string, after int64) iter.Seq2[longrein.Record, error] {
		if d.reads > 12 {
			stop()
		}
		return read(id, after)
	}
	x, err := index.Open(t.TempDir(), index.Options{Logs: logs})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := x.Sync(ctx, index.Quick); err == nil {
		t.Fatal("a look that was stopped said nothing")
	}
	before := d.reads
	synced(t, x, index.Quick)
	if again := d.reads - before; again > 30-10 {
		t.Errorf("%d records were read again", again)
	}
	if got := listed(t, x, index.Query{}); len(got) != 10 {
		t.Errorf("%d threads, want 10", len(got))
	}
}
