package rules

import (
	"fmt"
	"io"
)

// Relation is what one rule has to do with another: From triggers To, rests on
// it, or contains it.
type Relation struct {
	From string `json:"from"`
	Kind string `json:"relation"` // triggers, depends_on or contains
	To   string `json:"to"`
}

// Relations returns those of the rules of a list, in their order.
func Relations(rules []Rule) []Relation {
	var out []Relation
	for _, r := range rules {
		for _, named := range []struct {
			kind string
			ids  []string
		}{{"triggers", r.Triggers}, {"depends_on", r.DependsOn}, {"contains", r.Contains}} {
			for _, id := range named.ids {
				out = append(out, Relation{From: r.ID, Kind: named.kind, To: id})
			}
		}
	}
	return out
}

// WriteDot writes relations as a graph in the language of Graphviz.
func WriteDot(w io.Writer, relations []Relation) error {
	styles := map[string]string{"triggers": "solid", "depends_on": "dashed", "contains": "dotted"}
	if _, err := fmt.Fprintln(w, "digraph rules {\n\trankdir=LR\n\tnode [shape=box]"); err != nil {
		return err
	}
	for _, r := range relations {
		if _, err := fmt.Fprintf(w, "\t%q -> %q [label=%q style=%s]\n", r.From, r.To, r.Kind, styles[r.Kind]); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "}")
	return err
}
