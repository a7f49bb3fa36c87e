package rollout

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
)

func TestALineIsWrittenExactlyAsDocumented(t *testing.T) {
	s := store(t)
	l, _ := begin(t, s)
	put(t, l, said("hi"))
	raw, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(raw), "\n")
	body := `{"seq":2,"time":"2026-11-30T12:00:00.000Z","type":"item","payload":{"item":{"kind":"message","role":"user","text":"hi"}}`
	_, before, _ := cutSum([]byte(strings.TrimSuffix(lines[0], "\n")))
	after := before.next([]byte(body))
	if want := body + `,"sum":"` + string(after[:]) + "\"}\n"; lines[1] != want {
		t.Errorf("line 2:\n%swant:\n%s", lines[1], want)
	}
	if got := noSum.next([]byte("123456789")); string(got[:]) != "898a4a8d" {
		t.Errorf("the sum is %s, want CRC-32C of 00000000123456789", got)
	}
}

func TestFromSkipsWhatIsKnown(t *testing.T) {
	s := store(t)
	s.Disk = &faults{}
	l, id := begin(t, s)
	for n := range 300 {
		put(t, l, said(strings.Repeat("x", n*7)), said(strings.Repeat("y", 40)))
	}
	all := readAll(t, s, id)
	rapid.Check(t, func(t *rapid.T) {
		after := rapid.IntRange(0, len(all)+1).Draw(t, "after")
		got, err := collect(s.From(id, int64(after)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all[min(after, len(all)):], got, cmp.Transformer("", func(r []longrein.Record) int { return len(r) })); diff != "" {
			t.Fatalf("after %d: -want +got:\n%s", after, diff)
		}
		if len(got) > 0 && got[0].Seq != int64(after)+1 {
			t.Fatalf("after %d comes %d", after, got[0].Seq)
		}
	})
}

func TestACopyOfALogIsReadWhereItIs(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	put(t, l, said("hi"), said(strings.Repeat("long ", 50_000)))
	raw, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.jsonl")
	if err := os.WriteFile(copied, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := collect(s.ReadFile(copied))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(len(readAll(t, s, id)), len(got)); diff != "" {
		t.Errorf("records: -want +got:\n%s", diff)
	}
	if _, err := collect(s.ReadFile(copied + "x")); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestReadersSeeWholeRecordsWhileOthersAppend(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for n := range 200 {
				if _, err := l.Append(noon, n%50 == 0, said(strings.Repeat("z", n)), longrein.Window{N: n}); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range 50 {
				if tail, err := s.Tail(id); err != nil || len(tail.Records) == 0 {
					t.Errorf("Tail gave %v, %v", tail, err)
				}
				for r, err := range s.Read(id) {
					if err != nil && !torn(err) || err == nil && r.Body == nil {
						t.Errorf("Read gave %v, %v", r, err)
					}
				}
			}
		})
	}
	wg.Wait()
	for i, r := range readAll(t, s, id) {
		if r.Seq != int64(i)+1 {
			t.Fatalf("record %d has the number %d", i+1, r.Seq)
		}
	}
}

func TestTheFastCodecGivesWhatTheSlowOneGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := bodies().Draw(t, "body")
		kind := longrein.Record{Body: b}.Type()
		payload, err := longrein.MarshalBody(b)
		if err != nil {
			t.Fatal(err)
		}
		if fast, err := encodeBody(b); err != nil || !bytes.Equal(fast, payload) {
			t.Fatalf("%v, encoded slow:\n%s\nand fast:\n%s", err, payload, fast)
		}
		want, err1 := longrein.UnmarshalBody(kind, payload)
		got, err2 := decodeBody(kind, payload)
		if diff := cmp.Diff(want, got); diff != "" || err1 != nil || err2 != nil {
			t.Fatalf("%v, %v, -slow +fast:\n%s", err1, err2, diff)
		}
	})
}

func TestAPayloadThatIsNotUnderstoodIsAnErrorThatSaysWhy(t *testing.T) {
	for kind, payload := range map[string]string{
		"item":   `{"item":{"kind":"hologram"}}`,
		"window": `{"head":[{"step":1}]}`,
		"turn":   `{"n":"one"}`,
	} {
		if b, err := decodeBody(kind, []byte(payload)); err == nil || !strings.Contains(err.Error(), kind) {
			t.Errorf("%s %s gave %v, %v", kind, payload, b, err)
		}
	}
}

func TestWhatCannotBeEncodedIsRefused(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	none := longrein.Entry{Step: 1}
	bad := longrein.Entry{Item: longrein.Reasoning{Raw: []byte("{")}}
	for _, b := range []longrein.Body{
		longrein.Appended{Entry: none},
		longrein.Appended{Entry: bad},
		longrein.Window{Head: []longrein.Entry{none}},
		longrein.Window{Head: []longrein.Entry{bad}},
	} {
		if _, err := l.Append(noon, true, said("good"), b); err == nil {
			t.Errorf("%+v was appended", b)
		}
	}
	put(t, l, item(0, longrein.Reasoning{}))
	if n := len(readAll(t, s, id)); n != 2 {
		t.Errorf("%d records, want 2", n)
	}
}

func TestMemoryNumbersAndKeepsNothing(t *testing.T) {
	m := Memory()
	if _, err := m.Append(noon, true, thread("x")); err != nil {
		t.Fatal(err)
	}
	got, err := m.Append(noon.Add(999), true, said("a"), said("b"))
	if err != nil {
		t.Fatal(err)
	}
	want := []longrein.Record{{Seq: 2, Time: noon, Body: said("a")}, {Seq: 3, Time: noon, Body: said("b")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Append(noon, true, said("late")); err == nil {
		t.Error("a closed log took a record")
	}
}
