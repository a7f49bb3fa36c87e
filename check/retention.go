package check

import (
	"fmt"

	"github.com/longrein/longrein/compare"
)

var retentionKind = kind{
	name: "retention",
	what: "of the values that steps use and that had been seen before, so many can be seen at that moment; of narrows it to a kind of value " +
		"(instructions, paths, identifiers, numbers, errors), seen says what counts: verbatim, also in a summary, or also by reference (the default); " +
		"told is the first use that does not count",
	needs:   [][]string{{"least_percent"}},
	takes:   []string{"of", "seen"},
	example: "least_percent = 90\nof = \"instructions\"\nseen = \"summary\"\n",
	says: func(r Rule) string {
		return fmt.Sprintf("when a step uses %s seen before, at least %s%% can still be seen%s", plural(r.Of), decimal(r.Least), ways[r.Seen])
	},
	judge: func(r Rule, _ scene) judge { return &retention{rule: r} },
}

var ways = [...]string{
	compare.Verbatim: " verbatim", compare.InSummary: " verbatim or in a summary", compare.ByReference: "", compare.NotAtAll: "",
}

func plural(k compare.Kind) string {
	if k == compare.Kinds {
		return "values"
	}
	return k.String()
}

// retention counts uses, and keeps the first that does not count.
type retention struct {
	rule       Rule
	uses, kept int
	first      *finding
}

func (t *retention) see(r request) *finding {
	for _, u := range r.Uses {
		if t.rule.Of != compare.Kinds && t.rule.Of != u.Kind {
			continue
		}
		t.uses++
		if u.How <= t.rule.Seen {
			t.kept++
			continue
		}
		if t.first == nil {
			t.first = at(r.Point, "this step is the first: it uses %s, which could be seen %s", one(u), how[u.How])
		}
	}
	return nil
}

var how = [...]string{
	compare.Verbatim: "verbatim", compare.InSummary: "only in a summary", compare.ByReference: "only by reference", compare.NotAtAll: "not at all",
}

func (t *retention) end(*compare.Result) *finding {
	if t.uses == 0 {
		return nothing("no step uses %s that had been seen long enough before", plural(t.rule.Of))
	}
	share := float64(t.kept) / float64(t.uses)
	if 100*share >= t.rule.Least {
		return nil
	}
	t.first.got = fmt.Sprintf("%s%%: %d of %d; %s", percent(share), t.kept, t.uses, t.first.got)
	return t.first
}

// one names a value. What may be a key is not shown whole.
func one(u compare.Use) string {
	const most = 24 // fixed: longer ones may be keys; this much tells them apart
	name := map[compare.Kind]string{
		compare.Instructions: "the instruction", compare.Paths: "the path", compare.Identifiers: "the identifier",
		compare.Numbers: "the number", compare.Errors: "the error",
	}[u.Kind]
	value := u.Value
	if (u.Kind == compare.Identifiers || u.Kind == compare.Errors) && len(value) > most {
		value = value[:6] + "…"
	}
	return name + " " + quote(value)
}
