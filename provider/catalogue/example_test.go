package catalogue_test

import (
	"fmt"

	"github.com/longrein/longrein/provider/catalogue"
)

func ExampleLookup() {
	info, ok := catalogue.Lookup("openai", "openai/gpt-5.4-2026-03-05")
	fmt.Println(ok, info.ID, info.ContextWindow)
	fmt.Println("dollars per million tokens from the cache:", info.Price.Cached)
	// Output:
	// true gpt-5.4 1050000
	// dollars per million tokens from the cache: 0.25
}
