package crashtest_test

import (
	"context"
	"fmt"

	"github.com/longrein/longrein/crashtest"
)

// A life is tried: all of its crash points, and some damaged bytes.
func ExampleRun() {
	counts, err := crashtest.Run(context.Background(), crashtest.Options{Seed: 7, Seeds: 1})
	if err != nil {
		fmt.Println(err) // says what was lost, and how to see it again
		return
	}
	fmt.Println(counts.Lives, "life,", counts.Points > 1000, counts.Damages)
	// Output: 1 life, true 40
}
