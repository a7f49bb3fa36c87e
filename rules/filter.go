package rules

import "slices"

// Filter chooses rules. What is empty leaves all in.
type Filter struct {
	Area  string
	Kind  Kind
	Limit string
}

// Of returns the rules of a list that f lets through, in their order.
func (f Filter) Of(rules []Rule) []Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool {
		return f.Area != "" && r.Area != f.Area ||
			f.Kind != "" && r.Kind != f.Kind ||
			f.Limit != "" && !slices.Contains(r.Limits, f.Limit)
	})
}
