package rollout

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
)

// decodeBody is [longrein.UnmarshalBody], faster for what fills a log: items,
// windows, and the records around each step. Types that decode themselves have encoding/json read every item about
// eight times. Here the envelopes are cut by hand and each item is read twice;
// whatever looks unusual is left to the slow way.
func decodeBody(kind string, payload []byte) (longrein.Body, error) {
	switch kind {
	case "item":
		if b, ok := decodeAppended(payload); ok {
			return b, nil
		}
	case "window":
		if b, ok := decodeWindow(payload); ok {
			return b, nil
		}
	case "request":
		if b, ok := decodeAsked(payload); ok {
			return b, nil
		}
	case "tool":
		if b, ok := decodeToolRun(payload); ok {
			return b, nil
		}
	}
	return longrein.UnmarshalBody(kind, payload)
}

func decodeAppended(payload []byte) (a longrein.Appended, ok bool) {
	ok = true
	gjson.ParseBytes(payload).ForEach(func(key, v gjson.Result) bool {
		if key.Str == "input" {
			a.Input, ok = v.Int(), v.Type == gjson.Number
			return ok
		}
		ok = decodeEntry(&a.Entry, key.Str, v)
		return ok
	})
	return a, ok && a.Item != nil
}

// decodeEntry takes one field of an entry.
func decodeEntry(e *longrein.Entry, key string, v gjson.Result) (ok bool) {
	switch key {
	case "seq":
		e.Seq = v.Int()
		return v.Type == gjson.Number
	case "step":
		e.Step = v.Int()
		return v.Type == gjson.Number
	case "item":
		e.Item, ok = decodeItem([]byte(v.Raw))
		return ok
	}
	return false
}

// decodeItem reads an item of a kind that is known.
func decodeItem(b []byte) (longrein.Item, bool) {
	switch gjson.GetBytes(b, "kind").Str {
	case "message":
		return decodeAs[longrein.Message](b)
	case "reasoning":
		return decodeAs[longrein.Reasoning](b)
	case "tool_call":
		return decodeAs[longrein.ToolCall](b)
	case "tool_output":
		return decodeAs[longrein.ToolOutput](b)
	case "fragment":
		return decodeAs[longrein.Fragment](b)
	}
	return nil, false
}

func decodeAs[T longrein.Item](b []byte) (longrein.Item, bool) {
	var it T
	err := json.Unmarshal(b, &it)
	return it, err == nil
}

// decodeWindow reads the head by itself, and the window as if it had none.
func decodeWindow(payload []byte) (w longrein.Window, ok bool) {
	head := gjson.GetBytes(payload, "head")
	if !head.IsArray() || head.Index == 0 {
		return w, false
	}
	entries := []longrein.Entry{}
	ok = true
	head.ForEach(func(_, v gjson.Result) bool {
		var e longrein.Entry
		v.ForEach(func(key, v gjson.Result) bool {
			ok = decodeEntry(&e, key.Str, v)
			return ok
		})
		entries = append(entries, e)
		ok = ok && e.Item != nil
		return ok
	})
	end := head.Index + len(head.Raw)
	rest := slices.Concat(payload[:head.Index], []byte("[]"), payload[end:])
	if !ok || json.Unmarshal(rest, &w) != nil {
		return w, false
	}
	w.Head = entries
	return w, true
}

// decodeAsked reads a request whose texts need no unescaping.
func decodeAsked(payload []byte) (a longrein.Asked, ok bool) {
	ok = true
	gjson.ParseBytes(payload).ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "turn":
			ok = whole(v, &a.Turn)
		case "window":
			ok = whole(v, &a.Window)
		case "bytes":
			ok = whole(v, &a.Bytes)
		case "tokens":
			ok = whole(v, &a.Tokens)
		case "cached":
			ok = whole(v, &a.Cached)
		case "model":
			a.Model, ok = v.Str, v.Type == gjson.String
		case "hash":
			a.Hash, ok = v.Str, v.Type == gjson.String
		default:
			ok = false
		}
		return ok
	})
	return a, ok
}

// decodeToolRun reads one without an output.
func decodeToolRun(payload []byte) (r longrein.ToolRun, ok bool) {
	ok = true
	gjson.ParseBytes(payload).ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "call_id":
			r.CallID, ok = v.Str, v.Type == gjson.String
		case "state":
			r.State, ok = longrein.ToolState(v.Str), v.Type == gjson.String
		default:
			ok = false
		}
		return ok
	})
	return r, ok
}

func whole(v gjson.Result, to *int) bool {
	n := v.Int()
	*to = int(n)
	return v.Type == gjson.Number && v.Raw == strconv.FormatInt(n, 10)
}
