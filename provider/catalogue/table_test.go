package catalogue

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
	gocmp "github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "make models.tsv anew from the catwalk module")

// TestTableIsWhatCatwalkSays keeps models.tsv in step with the version of
// catwalk in go.mod; -update rewrites it.
func TestTableIsWhatCatwalkSays(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Version}} of {{.Time.Format \"2006-01-02\"}}", "charm.land/catwalk").Output()
	if err != nil {
		t.Skipf("which catwalk is this: %v", err)
	}
	want := "# catwalk " + strings.TrimSpace(string(out)) + "\n" + rows(embedded.GetAll())
	if *update {
		if err := os.WriteFile("models.tsv", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := gocmp.Diff(want, table); d != "" {
		t.Errorf("models.tsv is out of date, run go test -update: %.2000s", d)
	}
}

func rows(providers []catwalk.Provider) string {
	var b strings.Builder
	for _, p := range providers {
		fmt.Fprintf(&b, "@ %s\n", p.ID)
		for _, m := range p.Models {
			fmt.Fprintln(&b, row(m))
		}
	}
	return b.String()
}

func row(m catwalk.Model) string {
	reasons := none
	if m.CanReason {
		reasons = "reasons"
	}
	cached, write := cachePrices(m)
	return strings.Join([]string{
		m.ID, fmt.Sprint(m.ContextWindow), fmt.Sprint(m.DefaultMaxTokens),
		fmt.Sprint(m.CostPer1MIn), fmt.Sprint(cached), fmt.Sprint(write), fmt.Sprint(m.CostPer1MOut),
		reasons, cmp.Or(m.DefaultReasoningEffort, none), cmp.Or(strings.Join(m.ReasoningLevels, ","), none),
	}, "\t")
}

// cachePrices makes sense of catwalk's two columns about caches. Which of them
// holds the price of reading differs between its sources, but reading never
// costs more than fresh input, and writing costs up to twice as much. Where
// nothing sensible is said, both cost what input costs.
func cachePrices(m catwalk.Model) (read, write float64) {
	read, write = m.CostPer1MIn, m.CostPer1MIn
	for _, c := range []float64{m.CostPer1MInCached, m.CostPer1MOutCached} {
		switch {
		case c <= 0:
		case c <= m.CostPer1MIn:
			read = min(read, c)
		case c <= 2*m.CostPer1MIn:
			write = c
		}
	}
	return read, write
}

func TestEveryRowCanBeRead(t *testing.T) {
	models := 0
	for line := range strings.SplitSeq(table, "\n") {
		id, rest, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		models++
		info := parse("", id, rest)
		if p := info.Price; p.Cached > p.Input || p.CacheWrite < p.Input || info.ContextWindow <= 0 {
			t.Errorf("%s: %+v", id, info)
		}
	}
	if models < 1000 {
		t.Errorf("only %d models", models)
	}
}
