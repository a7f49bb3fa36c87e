package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider/sim/internal/talk"
)

// long is a conversation whose body has about 800 kB.
func long(b *testing.B, wire longrein.Wire) longrein.Request {
	m := New(Options{})
	c := talk.New(wire, "sim:read200", "go")
	c.Marks = true
	output := strings.Repeat("\tif err != nil {\n\t\treturn fmt.Errorf(\"read: %w\", err)\n\t}\n", 65)
	for range 190 {
		c.Step(b, m, func(longrein.ToolCall) string { return output })
	}
	return c.Request()
}

// What one request of 800 kB costs, from its bytes to the last event.
func BenchmarkStreamLongRequest(b *testing.B) {
	for _, wire := range talk.Wires {
		b.Run(fmt.Sprintf("wire=%s", wire), func(b *testing.B) {
			r := long(b, wire)
			m := New(Options{})
			b.SetBytes(int64(len(r.Body)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range m.Stream(b.Context(), r) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
