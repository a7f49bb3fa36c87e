package sim

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// aside returns the answer to the request's last item, if that is a question
// which the script knows and no part of the task.
func (v *view) aside() *aside {
	if len(v.items) == 0 || len(v.script.asides) == 0 {
		return nil
	}
	it := v.items[len(v.items)-1]
	if it.kind != itemSaid || it.role == "assistant" {
		return nil
	}
	text := it.text()
	if m := fragment.FindStringSubmatch(text); m != nil && m[1] == m[2] {
		return nil // what a harness inserted asks nothing
	}
	for i, a := range v.script.asides {
		if a.pattern.MatchString(text) {
			return &v.script.asides[i]
		}
	}
	return nil
}

// longNotice is the size from which an output cannot be a notice that its call
// was cut off.
const longNotice = 1000

// unknown returns the numbers of the calls whose outputs say that nobody knows
// how they ended.
func (v *view) unknown() map[string]bool {
	out := map[string]bool{}
	for n, text := range v.out {
		if len(text) < longNotice && v.script.unknown.MatchString(text) {
			out[n] = true
		}
	}
	return out
}

// unmet returns the first expectation of st that the outputs do not meet, "" for
// none. Outputs that the request no longer holds are not judged.
func (v *view) unmet(st step) string {
	if len(v.out) < len(st.calls) {
		return ""
	}
	all := v.last()
	for _, re := range st.expect {
		if !re.MatchString(all) {
			return re.String()
		}
	}
	return ""
}

// last joins the outputs of the newest step, in the order of its calls.
func (v *view) last() string {
	keys := slices.SortedFunc(maps.Keys(v.out), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	texts := make([]string, 0, len(keys))
	for _, n := range keys {
		texts = append(texts, v.out[n])
	}
	return strings.Join(texts, "\n")
}

// clip shortens what a complaint quotes.
func clip(s string) string {
	const most = 300 // fixed: a complaint; the request has the whole
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + " … (cut)"
}
