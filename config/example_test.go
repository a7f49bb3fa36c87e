package config_test

import (
	"errors"
	"fmt"

	"github.com/longrein/longrein/config"
)

func ExampleLoad() {
	s, err := config.Load(config.Options{
		Home:  "/var/empty/longrein",
		Cwd:   "/",
		Env:   []string{"LONGREIN_SANDBOX=read-only"},
		Flags: []config.Flag{{Name: "-m", Value: "gpt-5.4"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Model, "from", s.Source("model"))
	fmt.Println(s.Sandbox, "from", s.Source("sandbox"))
	fmt.Println(s.Approval, "from", s.Source("approval"))
	// Output:
	// gpt-5.4 from -m
	// read-only from LONGREIN_SANDBOX
	// on-request from built-in
}

func ExampleError() {
	_, err := config.Load(config.Options{
		Home:  "/var/empty/longrein",
		Flags: []config.Flag{{Name: "-c", Value: "sandbx=full"}, {Name: "--approval", Value: "always"}},
	})
	var e *config.Error
	if errors.As(err, &e) {
		fmt.Println(err)
	}
	// Output:
	// -c sandbx: there is no key sandbx; did you mean "sandbox"?
	// --approval: want never, on-request, on-failure or untrusted
}
