package rollout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// texts returns texts that repeat, are long, and try to look like marks.
func texts() *rapid.Generator[string] {
	bits := rapid.SampledFrom([]string{
		`{"$at":[0,200,1]}`, `{"$blob":"`, `{"$$at":`, `\`, `"`, "\n", "<&>", "\u2028", "é", "日本",
		strings.Repeat("a", minRepeat), strings.Repeat("long ", 200), strings.Repeat("image/", 900),
	})
	return rapid.Map(rapid.SliceOfN(rapid.OneOf(bits, rapid.String()), 0, 4), func(parts []string) string {
		return strings.Join(parts, "")
	})
}

// values returns JSON values of any shape, whose keys like to begin with marks.
func values(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(rapid.Just(any(nil)), rapid.Map(rapid.Int32(), func(n int32) any { return n }),
		rapid.Map(texts(), func(s string) any { return s }))
	if depth == 0 {
		return leaf
	}
	inner := values(depth - 1)
	keys := rapid.OneOf(rapid.SampledFrom([]string{"$at", "$blob", "$$", "$$at", "$", "$schema", "bytes", "text"}), texts())
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(inner, 0, 4), func(v []any) any { return v }),
		rapid.Map(rapid.MapOfN(keys, inner, 0, 4), func(v map[string]any) any { return v }),
	)
}

// compact returns v as a payload would hold it.
func compact(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

func raws() *rapid.Generator[json.RawMessage] { return rapid.Map(values(4), compact) }

func items() *rapid.Generator[longrein.Item] {
	return rapid.Custom(func(t *rapid.T) longrein.Item {
		text := texts().Draw(t, "text")
		switch rapid.IntRange(0, 4).Draw(t, "item") {
		case 0:
			return longrein.Message{Role: longrein.RoleUser, Text: text}
		case 1:
			raw := rapid.Map(rapid.MapOf(rapid.String(), values(2)), func(v map[string]any) json.RawMessage { return compact(v) })
			return longrein.Reasoning{Text: text, Wire: longrein.WireChat, Raw: raw.Draw(t, "raw")}
		case 2:
			return longrein.ToolCall{ID: "call", Name: "exec_command", Args: text}
		case 3:
			return longrein.ToolOutput{CallID: "call", Text: text, Status: longrein.OutputOK, Full: &longrein.Blob{ID: "ab", Bytes: 7}}
		}
		return longrein.Fragment{Tag: longrein.TagEnvironment, Role: longrein.RoleUser, Text: text}
	})
}

func entries() *rapid.Generator[longrein.Entry] {
	return rapid.Custom(func(t *rapid.T) longrein.Entry {
		return longrein.Entry{Seq: rapid.Int64Range(0, 3).Draw(t, "seq"), Step: rapid.Int64Range(0, 3).Draw(t, "step"), Item: items().Draw(t, "item")}
	})
}

func bodies() *rapid.Generator[longrein.Body] {
	return rapid.Custom(func(t *rapid.T) longrein.Body {
		switch rapid.IntRange(0, 6).Draw(t, "body") {
		case 0:
			return longrein.Unknown{Name: rapid.SampledFrom([]string{"later", `od"d`, "日本"}).Draw(t, "name"), Raw: raws().Draw(t, "raw")}
		case 1:
			return longrein.Window{N: 1, Why: "full", Head: rapid.SliceOfN(entries(), 1, 6).Draw(t, "head"), Settings: settings().Draw(t, "settings")}
		case 2:
			return settings().Draw(t, "settings")
		case 3:
			return longrein.Input{Text: texts().Draw(t, "text"), Mode: longrein.InputSteer}
		}
		return longrein.Appended{Entry: entries().Draw(t, "entry"), Input: rapid.Int64Range(0, 2).Draw(t, "input")}
	})
}

func settings() *rapid.Generator[longrein.Settings] {
	return rapid.Custom(func(t *rapid.T) longrein.Settings {
		schema := rapid.Just(json.RawMessage(`{"$at":{"type":"string"},"type":"object"}`))
		return longrein.Settings{Model: "m", Base: texts().Draw(t, "base"), Tools: []longrein.ToolSpec{
			{Name: "a", Description: texts().Draw(t, "about"), Schema: rapid.OneOf(schema, raws()).Draw(t, "schema")},
		}}
	})
}

// law runs a property on a log of its own, with small limits so that blobs and
// forgetting happen.
func law(t *testing.T, check func(t *rapid.T, s *Store, l *Log, id string)) {
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		s := &Store{Root: root, Disk: &faults{}, Limits: limit.Set{"inline-text": 4 << 10, "log-repeats": rapid.SampledFrom([]int64{2, 8, 1 << 10}).Draw(t, "repeats")}}
		id := newID()
		l, err := s.Create(id)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { l.Close() }()
		check(t, s, l, id)
	})
}

func TestRecordsComeBackAsTheyWereAppended(t *testing.T) {
	law(t, func(t *rapid.T, s *Store, l *Log, id string) {
		want, err := l.Append(noon, false, thread(id))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 8).Draw(t, "appends") {
			if rapid.IntRange(0, 3).Draw(t, "reopen") == 0 {
				l = again(t, s, l, id)
			}
			got, err := l.Append(noon, false, rapid.SliceOfN(bodies(), 0, 3).Draw(t, "bodies")...)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, got...)
		}
		got, err := collect(s.Read(id))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("read back, -appended +read:\n%s", diff)
		}
		checkTail(t, s, id, want)
	})
}

// again closes l and opens it again.
func again(t *rapid.T, s *Store, l *Log, id string) *Log {
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	next, _, err := s.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// checkTail checks that the tail of a log that holds the records is right.
func checkTail(t *rapid.T, s *Store, id string, records []longrein.Record) {
	tail, err := s.Tail(id)
	if err != nil {
		t.Fatal(err)
	}
	start := 0
	for i, r := range records {
		if r.Type() == "window" {
			start = i
		}
	}
	if diff := cmp.Diff(records[start:], tail.Records); diff != "" {
		t.Fatalf("tail, -want +got:\n%s", diff)
	}
	if tail.LastSeq != int64(len(records)) || tail.Thread.ID != id || len(tail.Warnings) > 0 {
		t.Fatalf("tail of %d records: last %d, thread %q, warnings %q", len(records), tail.LastSeq, tail.Thread.ID, tail.Warnings)
	}
}

// collect returns what a log yields until the first error.
func collect(seq func(func(longrein.Record, error) bool)) ([]longrein.Record, error) {
	var all []longrein.Record
	for r, err := range seq {
		if err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}

func TestAReferenceNamesBytesAndNeverAReference(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	long := strings.Repeat("a file's line\n", 200)
	entry := longrein.Entry{Step: 3, Item: longrein.Message{Role: longrein.RoleAssistant, Text: long}}
	for n := range 4 {
		put(t, l, longrein.Appended{Entry: entry}, longrein.Window{N: n, Head: []longrein.Entry{entry, entry}})
	}
	raw, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(raw, []byte("a file's line")); n != 200 {
		t.Errorf("the text stands in the log %d/200 times, want once", n)
	}
	for rest := raw; ; {
		i := bytes.Index(rest, markAt)
		if i < 0 {
			break
		}
		ref, after, err := cutReference(rest[i:])
		if err != nil {
			t.Fatal(err)
		}
		if value := raw[ref.off : ref.off+int64(ref.n)]; nextMark(value) >= 0 || !json.Valid(value) {
			t.Errorf("a reference leads to %.60q", value)
		}
		rest = after
	}
	if got := readAll(t, s, id); len(got) != 9 {
		t.Errorf("read %d records, want 9", len(got))
	}
}

func TestLongStringsGoToBlobs(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	image := strings.Repeat("iVBORw0KGgo", 10_000)
	for range 3 {
		put(t, l, said(image+`"\`))
	}
	info, err := os.Stat(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 2000 {
		t.Errorf("the log takes %d bytes, want the image to be elsewhere", info.Size())
	}
	for _, r := range readAll(t, s, id)[1:] {
		if diff := cmp.Diff(said(image+`"\`), r.Body); diff != "" {
			t.Errorf("-want +got:\n%.300s", diff)
		}
	}
}

func TestDamageUnderAReferenceIsFoundAndNotRepeated(t *testing.T) {
	s := store(t)
	l, id := begin(t, s)
	text := strings.Repeat("once upon a time ", 20)
	put(t, l, said(text))
	put(t, l, said(text))
	raw, _ := os.ReadFile(l.Path())
	f, err := os.OpenFile(l.Path(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("X"), int64(bytes.Index(raw, []byte("upon")))); err != nil {
		t.Fatal(err)
	}
	put(t, l, said(text)) // what stands there is not the text any more, so it is written again

	var got []string
	for r, err := range s.Read(id) {
		got = append(got, fmt.Sprint(r.Seq, err != nil))
	}
	want := []string{"1 false", "0 true", "0 true", "4 false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sequence numbers and damage, -want +got:\n%s", diff)
	}
}

func FuzzMarksAreFoundAndEscaped(f *testing.F) {
	f.Add([]byte(`{"a":{"$at":[1,2,3]},"b":"{\"$at\":"}`))
	f.Add([]byte(`{"$$blob":{"$blob":"x","bytes":1}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var v any
		if json.Unmarshal(b, &v) != nil {
			t.Skip("not JSON")
		}
		payload := []byte(compact(v))
		p := packer{known: newRepeats(16), inline: 1 << 20}
		if err := p.pack(payload); err != nil {
			t.Fatal(err)
		}
		x := expander{file: bytes.NewReader(p.buf), max: 1 << 20}
		got, err := x.expand(p.buf, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, payload) {
			t.Errorf("%s came back as %s", payload, got)
		}
	})
}
