package output_test

import (
	"fmt"

	"github.com/longrein/longrein/tool/output"
)

// A capture takes any amount and shows what fits.
func ExampleCapture() {
	c := output.NewCapture(output.Options{Shown: 4096, Kept: 1 << 20, Line: 80, ErrorLines: 3})
	defer c.Close()
	for i := range 10_000 {
		fmt.Fprintf(c, "line %d\n", i)
	}
	v := c.View(1000)
	fmt.Println(len(v.Text) <= 1000, v.Lines, v.Bytes)
	// Output: true 9915 98146
}
