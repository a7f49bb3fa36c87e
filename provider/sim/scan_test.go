package sim

import (
	"encoding/json"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

// What is walked over is what encoding/json decodes.
func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"a":1,"b":[true,null,{"c":"\"]}"}],"d":"\\","e":{}}`))
	f.Add([]byte(` [ 1 , "x" , [ ] , { "y" : -2.5e3 } ] `))
	f.Add([]byte(`"\ud83d\ude00"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		walk(b, 0) // whatever it is, it comes to an end
		if !json.Valid(b) {
			return
		}
		b = b[next(b, 0):]
		var want map[string]json.RawMessage
		if json.Unmarshal(b, &want) == nil && want != nil {
			members(b, func(k string, v []byte) {
				var key string
				if json.Unmarshal([]byte(`"`+k+`"`), &key) != nil {
					t.Fatalf("key %q of %s", k, b)
				}
				if !json.Valid(v) {
					t.Fatalf("member %q of %s is read as %q", k, b, v)
				}
				delete(want, key)
			})
			if len(want) > 0 {
				t.Fatalf("members %v of %s were passed over", want, b)
			}
		}
		var list []json.RawMessage
		if json.Unmarshal(b, &list) == nil {
			n := 0
			elements(b, func(v []byte) {
				if string(v) != string(list[n]) {
					t.Fatalf("element %d of %s is read as %q", n, b, v)
				}
				n++
			})
			if n != len(list) {
				t.Fatalf("%d elements of %s, want %d", n, b, len(list))
			}
		}
	})
}

func walk(b []byte, depth int) {
	if depth > 5 {
		return
	}
	members(b, func(_ string, v []byte) { walk(v, depth+1) })
	elements(b, func(v []byte) { walk(v, depth+1) })
}

// Whatever a request holds, it is answered or refused.
func FuzzRequest(f *testing.F) {
	m := New(Options{})
	for _, wire := range talk.Wires {
		c := talk.New(wire, "sim:demo", "go")
		for range 4 {
			r := talk.Ask(f, m, c.Request())
			c.Items = append(c.Items, r.Items...)
			for _, call := range r.Calls() {
				c.Items = append(c.Items, longrein.ToolOutput{CallID: call.ID, Text: talk.RunTool(call)})
			}
		}
		f.Add(c.Body(true))
	}
	f.Add([]byte(`{"model":"sim:echo","input":"hello"}`))
	f.Add([]byte(`{"model":"sim:parallel","max_tokens":1,"cache_control":{},"system":[{"cache_control":{}}],"messages":[{"role":"user","content":"x"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, wire := range talk.Wires {
			r := talk.Ask(t, m, longrein.Request{Wire: wire, Body: body})
			if r.Err == nil && len(r.Items) == 0 {
				t.Fatalf("%s: neither items nor an error", wire)
			}
		}
	})
}
