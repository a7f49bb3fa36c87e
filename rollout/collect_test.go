package rollout

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

// blob stores a text that is like no other of another seed.
func blob(tb testing.TB, s *Store, seed uint64) longrein.Blob {
	tb.Helper()
	b, err := s.PutBlob(strings.NewReader(prose(rand.New(rand.NewPCG(seed, 1)), 2000)))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// age makes a file as old as the collector wants.
func age(tb testing.TB, path string) {
	tb.Helper()
	long := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(path, long, long); err != nil {
		tb.Fatal(err)
	}
}

func ageBlob(tb testing.TB, s *Store, id string) {
	tb.Helper()
	path, err := s.blobPath(id)
	if err != nil {
		tb.Fatal(err)
	}
	age(tb, path)
}

func give(tb testing.TB, s *Store, o CollectOptions) Collected {
	tb.Helper()
	c, err := s.Collect(context.Background(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func TestBlobsThatNoLogRefersToAreGivenBack(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	named, packed := blob(t, s, 1), strings.Repeat("y", 100_000)
	put(t, l, item(1, longrein.ToolOutput{CallID: "c", Text: "short", Full: &named}), said(packed))
	parent, kept := begin(t, s)
	inKept := blob(t, s, 2)
	put(t, parent, item(1, longrein.ToolOutput{CallID: "c", Full: &inKept}))
	parent.Close()
	child, _ := fork(t, s, kept, 2)
	child.Close()
	remove(t, s, kept)
	free, young := blob(t, s, 3), blob(t, s, 4)
	all, err := s.listBlobs()
	if err != nil || len(all) != 5 {
		t.Fatalf("there are %d blobs (%v), want 5", len(all), err)
	}
	for _, b := range all {
		if b.id != young.ID {
			age(t, b.path)
		}
	}
	dry := give(t, s, CollectOptions{DryRun: true})
	if n, _ := s.listBlobs(); len(n) != 5 {
		t.Fatalf("after a dry run %d blobs are there, want 5", len(n))
	}
	got := give(t, s, CollectOptions{})
	if diff := cmp.Diff(dry, got); diff != "" {
		t.Errorf("the dry run said other things, -dry +real:\n%s", diff)
	}
	if got.Blobs.Files != 1 || got.Young.Files != 1 || got.Scanned == 0 {
		t.Errorf("collected %+v, want one blob and one young", got)
	}
	for _, id := range []string{named.ID, inKept.ID, young.ID} {
		if _, err := s.ReadBlob(id, 0, 10); err != nil {
			t.Errorf("a blob that is needed: %v", err)
		}
	}
	if _, err := s.ReadBlob(free.ID, 0, 10); err == nil {
		t.Error("a blob that nobody needs is there")
	}
	if got := readAll(t, s, id)[2]; !cmp.Equal(got.Body, longrein.Body(said(packed))) {
		t.Error("a long text is lost")
	}
}

func TestABlobThatIsStoredAgainIsYoung(t *testing.T) {
	s := store(t)
	for _, again := range []func(text string) error{
		func(text string) error { _, err := s.PutBlob(strings.NewReader(text)); return err },
		func(text string) error { _, err := s.putText([]byte(text)); return err },
	} {
		b := blob(t, s, 1)
		ageBlob(t, s, b.ID)
		if err := again(prose(rand.New(rand.NewPCG(1, 1)), 2000)); err != nil {
			t.Fatal(err)
		}
		if got := give(t, s, CollectOptions{}); got.Blobs.Files != 0 || got.Young.Files != 1 {
			t.Errorf("collected %+v, want nothing", got)
		}
	}
}

// renewing stores a blob again just before it is moved aside.
type renewing struct {
	Disk
	again func()
}

func (d renewing) Rename(from, to string) error {
	if strings.Contains(to, oldPrefix) {
		d.again()
	}
	return d.Disk.Rename(from, to)
}

func TestABlobThatIsStoredAgainWhileItIsGivenBackStays(t *testing.T) {
	s := store(t)
	b := blob(t, s, 1)
	ageBlob(t, s, b.ID)
	other := *s
	s.Disk = renewing{system{}, func() { blob(t, &other, 1) }}
	if got := give(t, s, CollectOptions{}); got.Blobs.Files != 0 || got.Young.Files != 1 {
		t.Errorf("collected %+v, want nothing", got)
	}
	if _, err := s.ReadBlob(b.ID, 0, 10); err != nil {
		t.Error(err)
	}
}

func TestWhatACollectorThatDiedLeftIsPutRight(t *testing.T) {
	s := store(t)
	l, _ := begin(t, s)
	wanted, free := blob(t, s, 1), blob(t, s, 2)
	put(t, l, item(1, longrein.ToolOutput{CallID: "c", Full: &wanted}))
	for _, id := range []string{wanted.ID, free.ID} {
		path, _ := s.blobPath(id)
		age(t, path)
		if err := os.Rename(path, s.asidePath(id)); err != nil {
			t.Fatal(err)
		}
	}
	if got := give(t, s, CollectOptions{}); got.Blobs.Files != 1 {
		t.Errorf("collected %+v, want one blob", got)
	}
	if _, err := s.ReadBlob(wanted.ID, 0, 10); err != nil {
		t.Error(err)
	}
}

func TestLeftoversAreGivenBack(t *testing.T) {
	s := store(t)
	l, _ := begin(t, s)
	busy := lockPath(l.Path())
	dir := filepath.Dir(l.Path())
	blob(t, s, 1)
	left := map[string]bool{ // and whether it stays
		filepath.Join(s.blobs(), newPrefix+"x"):           false,
		l.Path() + tornSuffix + "x":                       false,
		l.Path() + damagedSuffix + "x":                    false,
		filepath.Join(dir, newID()+lockSuffix):            false,
		filepath.Join(dir, newID()+gaugeSuffix):           false,
		filepath.Join(s.blobs(), "README"):                true,
		filepath.Join(s.blobs(), "ab", "not-one"):         true,
		filepath.Join(dir, strings.Repeat("x", idLength)): true,
	}
	if err := os.MkdirAll(filepath.Join(s.blobs(), "ab"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path := range left {
		if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
			t.Fatal(err)
		}
		age(t, path)
	}
	if got := give(t, s, CollectOptions{}); got.Aside.Files != 0 || got.Temporary != (Amount{1, 5}) {
		t.Errorf("collected %+v, want one temporary file", got)
	}
	got := give(t, s, CollectOptions{Aside: true})
	if got.Aside != (Amount{2, 10}) || got.Freed() != (Amount{2, 10}) {
		t.Errorf("collected %+v, want two that were moved aside", got)
	}
	left[busy] = true
	for path, stays := range left {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s: %v, want it to stay: %v", path, err, stays)
		}
	}
}

func TestUsageCountsEveryFileOnce(t *testing.T) {
	s := store(t)
	parent, path, _ := sample(t, s)
	l, _ := fork(t, s, parent, 3)
	l.Close()
	remove(t, s, parent)
	blob(t, s, 1)
	if err := os.WriteFile(path+tornSuffix+"x", []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := s.Usage(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if size := folderSize(t, s.Root); u.Total() != (Amount{4, size}) || u.Aside != (Amount{1, 5}) || u.Logs.Files != 1 || u.Kept.Files != 1 || u.Blobs.Files != 1 {
		t.Errorf("usage %+v of %d bytes", u, size)
	}
}

func TestCollectingStopsWhenItIsToldTo(t *testing.T) {
	s := store(t)
	begin(t, s)
	b := blob(t, s, 1)
	ageBlob(t, s, b.ID)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := s.Collect(ctx, CollectOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was stopped", err)
	}
	if _, err := s.ReadBlob(b.ID, 0, 10); err != nil {
		t.Error(err)
	}
}

func TestEveryStretchOfDigitsIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 4, 8}).Draw(t, "n")
		b := []byte(rapid.StringOfN(rapid.RuneFrom([]rune("0af\"x")), 0, 60, -1).Draw(t, "text"))
		var got, want []string
		eachID(b, n, func(id []byte) { got = append(got, string(id)) })
		for i := 0; i+n <= len(b); i++ {
			if strings.Trim(string(b[i:i+n]), "0123456789abcdef") == "" {
				want = append(want, string(b[i:i+n]))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("in %q found %q, want %q", b, got, want)
		}
	})
}

func TestAnIDIsFoundAcrossTheEdgeOfABuffer(t *testing.T) {
	s := store(t)
	l, _ := begin(t, s)
	id := strings.Repeat("a1", 32)
	for _, before := range []int{1<<20 - 64, 1<<20 - 40, 1<<20 - 63, 1 << 20, 2<<20 - 130} {
		content := slices.Concat(make([]byte, before), []byte(id), make([]byte, 100))
		if err := os.WriteFile(l.Path(), content, 0o600); err != nil {
			t.Fatal(err)
		}
		found, scanned, err := s.Mentioned(context.Background(), map[string]bool{id: true, strings.Repeat("b", 40): true})
		if err != nil || !found[id] || len(found) != 1 || scanned != int64(len(content)) {
			t.Errorf("behind %d bytes: found %v in %d bytes (%v)", before, found, scanned, err)
		}
	}
}

// BenchmarkMentioned looks through 90 MB of logs for an id that is not there.
func BenchmarkMentioned(b *testing.B) {
	s := store(b)
	s.Disk = &faults{}
	bigLog(b, s, 4_000, 9_000)
	var scanned int64
	for b.Loop() {
		_, n, err := s.Mentioned(context.Background(), map[string]bool{strings.Repeat("a1", 32): true})
		if err != nil {
			b.Fatal(err)
		}
		scanned = n
	}
	b.SetBytes(scanned)
}
