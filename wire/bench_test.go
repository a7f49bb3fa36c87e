package wire

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
)

// A step of one call with 4 KiB of output, as it is appended to a window.
func BenchmarkStep(b *testing.B) {
	source := strings.Repeat("\tif err != nil {\n\t\treturn fmt.Errorf(\"open %s: %w\", name, err)\n\t}\n", 64)
	step := []longrein.Entry{
		{Step: 1, Item: longrein.ToolCall{ID: "call_1", Name: "exec_command", Args: `{"cmd":"cat a.go"}`}},
		{Step: 1, Item: longrein.ToolOutput{CallID: "call_1", Text: source, Status: longrein.OutputOK}},
	}
	for _, w := range wires {
		b.Run(string(w), func(b *testing.B) {
			enc, h := encoder(w), head(w)
			dst := make([]byte, 0, 16<<10)
			b.ReportAllocs()
			b.SetBytes(int64(len(source)))
			for b.Loop() {
				for g := range Groups(step) {
					dst = enc.Group(dst[:0], h, g)
				}
			}
		})
	}
}
