package rules

import (
	"slices"
	"testing"

	"github.com/longrein/longrein/limit"
)

func TestEveryLimitHasARule(t *testing.T) {
	for _, name := range built(t).Unruled() {
		t.Errorf("no rule names the limit %s: write one, with a test that shows it biting", name)
	}
	if got := new(Book).Unruled(); !slices.Contains(got, limit.Prompt.Name) {
		t.Errorf("a book without rules lacks them for %v, want %s among those", got, limit.Prompt.Name)
	}
}

func TestThereAreRulesEnoughInEveryArea(t *testing.T) {
	book := built(t)
	if len(book.Rules) < 200 {
		t.Errorf("%d rules, want at least 200", len(book.Rules))
	}
	for _, a := range book.Areas {
		if n := len(Filter{Area: a.ID}.Of(book.Rules)); n < 15 {
			t.Errorf("%s has %d rules, want at least 15", a.ID, n)
		}
		if a.Title == "" || a.About == "" {
			t.Errorf("%s has no title, or does not say what belongs there", a.ID)
		}
	}
}
