package ledger_test

import (
	"strings"
	"testing"

	"github.com/longrein/longrein/ledger"
	"github.com/longrein/longrein/limit"
)

func TestValuesAreLookedForAtTheStartOfAnItemOnly(t *testing.T) {
	output := "near 48213 " + strings.Repeat("x ", 100) + "far 48214"
	s := new(story).run("x", 0, output).run("use 48213 48214", 0, "")
	check(t, probed(fold(s.records, limit.Set{limit.LedgerScan.Name: 100}), ledger.UsedValue), "48213")
	check(t, probed(fold(s.records, nil), ledger.UsedValue), "48214", "48213")
}
