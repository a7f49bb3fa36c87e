package limitscan_test

import (
	"testing"

	"github.com/longrein/longrein/internal/limitscan"
	"github.com/longrein/longrein/internal/source"
	"github.com/longrein/longrein/limit"
)

func tree(t *testing.T) []*source.Package {
	t.Helper()
	root, err := source.Root()
	if err != nil {
		t.Fatal(err)
	}
	packages, err := source.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func TestNothingIsCutByANumberWithoutAName(t *testing.T) {
	for _, p := range tree(t) {
		if !limitscan.Watched(p) {
			continue
		}
		for _, f := range limitscan.Scan(p) {
			t.Error(f)
		}
	}
}

func TestEveryLimitBoundsSomethingUnlessItIsPlanned(t *testing.T) {
	packages := tree(t)
	used := limitscan.Used(packages)
	variables := map[string]string{}
	for _, p := range packages {
		if p.Dir == "limit" {
			variables = limitscan.Declared(p)
		}
	}
	for _, l := range limit.All {
		name, ok := variables[l.Name]
		switch {
		case !ok:
			t.Errorf("limit %s is not declared as a variable of its own", l.Name)
		case l.Planned == "" && !used[name]:
			t.Errorf("no code speaks of limit.%s: use it, mark it as planned, or take it out", name)
		case l.Planned != "" && used[name]:
			t.Errorf("limit.%s is used, and still marked as planned", name)
		}
	}
}
