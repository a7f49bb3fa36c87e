package rollout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
)

// encodeBody is [longrein.MarshalBody], faster for what fills a log: items and
// windows. encoding/json reads again what a type encoded by itself, at each
// level; here each item is written once. The bytes are the same.
func encodeBody(b longrein.Body) ([]byte, error) {
	switch b := b.(type) {
	case longrein.Appended:
		return encodeAppended(b)
	case longrein.Window:
		return encodeWindow(b)
	}
	return longrein.MarshalBody(b)
}

func encodeAppended(a longrein.Appended) ([]byte, error) {
	var buf bytes.Buffer
	if err := appendEntry(&buf, a.Entry); err != nil {
		return nil, err
	}
	if a.Input != 0 {
		buf.Truncate(buf.Len() - len("}"))
		fmt.Fprintf(&buf, `,"input":%d}`, a.Input)
	}
	return buf.Bytes(), nil
}

// appendEntry writes e as it encodes itself.
func appendEntry(buf *bytes.Buffer, e longrein.Entry) error {
	if e.Item == nil {
		_, err := longrein.MarshalBody(longrein.Appended{Entry: e})
		return err
	}
	buf.WriteByte('{')
	appendNumber(buf, `"seq":`, e.Seq)
	appendNumber(buf, `"step":`, e.Step)
	buf.WriteString(`"item":{"kind":"`)
	buf.WriteString(longrein.Kind(e.Item))
	buf.WriteByte('"')
	fields := buf.Len()
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e.Item); err != nil {
		return fmt.Errorf("encode %s: %w", longrein.Kind(e.Item), err)
	}
	buf.Truncate(buf.Len() - len("\n"))
	if b := buf.Bytes(); len(b) > fields+len("{}") {
		b[fields] = ',' // where the item's own brace was
	} else {
		b[fields] = '}'
		buf.Truncate(fields + 1)
	}
	buf.WriteByte('}')
	return nil
}

// appendNumber writes a field and a comma, nothing for 0.
func appendNumber(buf *bytes.Buffer, field string, n int64) {
	if n != 0 {
		buf.WriteString(field)
		buf.Write(strconv.AppendInt(buf.AvailableBuffer(), n, 10))
		buf.WriteByte(',')
	}
}

// encodeWindow writes the head by itself, and the window as if it had none.
func encodeWindow(w longrein.Window) ([]byte, error) {
	head := w.Head
	w.Head = nil
	rest, err := longrein.MarshalBody(w)
	if err != nil || head == nil {
		return rest, err
	}
	var buf bytes.Buffer
	for i, e := range head {
		if i > 0 {
			buf.WriteByte(',')
		}
		if err := appendEntry(&buf, e); err != nil {
			return nil, fmt.Errorf("encode %s record: %w", windowType, err)
		}
	}
	null := gjson.GetBytes(rest, "head")
	start, end := null.Index, null.Index+len(null.Raw)
	return slices.Concat(rest[:start], []byte{'['}, buf.Bytes(), []byte{']'}, rest[end:]), nil
}
