package skill_test

import (
	"context"
	"fmt"
	"os"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/skill"
)

func ExampleCatalog() {
	project, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(project)
	if _, err := skill.Create(project+"/.agents/skills", "fmt", nil); err != nil {
		fmt.Println(err)
		return
	}

	var catalog skill.Catalog // kept over turns
	places := skill.Places{Cwd: project}
	found, err := catalog.Look(context.Background(), places.Roots(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}

	// A window begins with the list …
	budget := skill.Budget{Window: 200_000, Size: func(text string) int { return len(text) / 4 }}
	window := []longrein.Entry{{Item: longrein.NewFragment(longrein.TagSkills, found.List(budget).Text)}}

	// … a turn takes in what has changed, and what its input mentions.
	fmt.Printf("changes: %q\n", found.Changes(window, budget).Text)
	mentioned := found.Mentioned([]string{"Tidy up with $fmt."}, window, nil)
	for _, s := range mentioned.Skills {
		fmt.Println("loaded:", s.Name)
	}
	// Output:
	// changes: ""
	// loaded: fmt
}
