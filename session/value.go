package session

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// value is a JSON value inside a valid text.
type value = gjson.Result

// object is a JSON object with its fields taken apart once.
type object struct{ fields []field }

type field struct {
	key   string
	value value
}

// parse reads a line that is one JSON object. The check comes first: it is what
// bounds the depth.
func parse(line []byte) (value, error) {
	if line[0] != '{' {
		return value{}, errNotOne
	}
	if !json.Valid(line) {
		var raw json.RawMessage
		return value{}, json.Unmarshal(line, &raw) // says where it breaks off
	}
	return gjson.ParseBytes(line), nil
}

// object takes an object apart. It is valid until the next line or element is
// read: fields are in memory that is used again.
func (t *tally) object(v value) object {
	start := len(t.fields)
	v.ForEach(func(key, val value) bool {
		t.fields = append(t.fields, field{key.Str, val})
		return true
	})
	return object{fields: t.fields[start:len(t.fields):len(t.fields)]}
}

// kept is o for longer.
func (o object) kept() object { return object{fields: slices.Clone(o.fields)} }

// get returns a field; of several with one name the last, as JSON has it.
func (o object) get(key string) value {
	for i := len(o.fields) - 1; i >= 0; i-- {
		if o.fields[i].key == key {
			return o.fields[i].value
		}
	}
	return value{}
}

func (o object) has(key string) bool { return o.get(key).Exists() }

func (o object) str(key string) string { return text(o.get(key)) }

// text is a value's string, fit to be kept: it does not hold on to the line it
// came from, and is valid UTF-8.
func text(v value) string {
	if v.Type != gjson.String {
		return ""
	}
	s := v.Str
	if strings.IndexByte(v.Raw, '\\') < 0 {
		s = strings.Clone(s)
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// jsonText is a value's JSON, fit to be kept; of a string its content, since
// some tools write JSON into strings.
func jsonText(v value) string {
	if v.Type == gjson.String {
		return text(v)
	}
	raw := v.Raw
	if strings.IndexByte(raw, '\n') >= 0 { // a document for people
		var b bytes.Buffer
		if json.Compact(&b, []byte(raw)) == nil {
			raw = b.String()
		}
	}
	return strings.ToValidUTF8(strings.Clone(raw), "\uFFFD")
}

// isTrue reports whether a value is true and nothing else.
func isTrue(v value) bool { return v.Type == gjson.True }

// first returns the first of vs that is there and not null.
func first(vs ...value) value {
	for _, v := range vs {
		if known(v) {
			return v
		}
	}
	return value{}
}

// known reports whether a value is there and not null.
func known(v value) bool { return v.Exists() && v.Type != gjson.Null }

var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05"}

// when reads a time: ISO with or without a zone, which is UTC then, or the
// number of seconds or milliseconds since 1970. Zero when it is none of these.
func when(v value) time.Time {
	switch v.Type {
	case gjson.String:
		for _, layout := range layouts {
			if t, err := time.Parse(layout, v.Str); err == nil {
				return sane(t)
			}
		}
	case gjson.Number:
		const secondsEnd = 1e11 // the year 5138; as milliseconds it is 1973
		if v.Num >= secondsEnd && v.Num < 1e15 {
			return sane(time.UnixMilli(int64(v.Num)))
		}
		if v.Num > 0 && v.Num < secondsEnd {
			return sane(time.UnixMilli(int64(v.Num * 1000)))
		}
	}
	return time.Time{}
}

// sane is t as the log keeps times, zero when no clock can have shown it.
func sane(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Millisecond)
	if t.Year() < 1970 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// tokens reads a count that may be missing, null or absurd.
func tokens(v value) int64 {
	const most = 1 << 50 // fixed: beyond it a number is damaged
	if v.Type != gjson.Number || v.Num < 0 || v.Num > most {
		return 0
	}
	return int64(v.Num)
}
