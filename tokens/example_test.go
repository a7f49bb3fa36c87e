package tokens_test

import (
	"fmt"

	"github.com/longrein/longrein/tokens"
)

func ExampleCount() {
	fmt.Println(tokens.Count("Windows only grow."))
	// Output: 4
}
