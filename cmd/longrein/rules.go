package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/rules"
)

// ruling is what rules was asked for.
type ruling struct {
	filter rules.Filter
	kind   string
	asJSON bool
	dot    bool
}

func (c *cli) rulesCommand() *cobra.Command {
	var o ruling
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Look up what holds: every invariant, threshold, formula and scenario, with its tests",
		Long: "The rule book of the harness, made for grep and jq. Each rule has the tests that show it.\n" +
			"Without a sub-command it lists all rules.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0], "longrein rules search "+args[0]+" looks for it")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, _ []string) error { return c.listRules(o, nil) },
	}
	f := cmd.PersistentFlags()
	f.StringVar(&o.filter.Area, "area", "", "only rules of this area: D1 protocol, D2 state, D3 agent core, D4 context, D5 tools")
	f.StringVar(&o.kind, "kind", "", "only rules of this kind: invariant, threshold, formula or scenario")
	f.StringVar(&o.filter.Limit, "limit", "", "only rules that name this limit")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object a line")
	graph := c.rulesGraphCommand(&o)
	graph.Flags().BoolVar(&o.dot, "dot", false, "print a graph for Graphviz")
	cmd.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "List rules, one a line: ID, area, kind and statement",
		Args:  between(0, 0, ""),
		RunE:  func(_ *cobra.Command, _ []string) error { return c.listRules(o, nil) },
	}, &cobra.Command{
		Use:   "show ID...",
		Short: "Print all there is of a rule: limits, settings, relations and examples",
		Args:  between(1, 100, "which rule? longrein rules list shows their IDs"),
		RunE:  func(_ *cobra.Command, args []string) error { return c.showRules(o, args) },
	}, &cobra.Command{
		Use:   "search WORDS...",
		Short: "List the rules in which words are found, the best first",
		Args:  between(1, 100, "which words? longrein rules search WORDS"),
		RunE:  func(_ *cobra.Command, args []string) error { return c.listRules(o, args) },
	}, graph)
	return cmd
}

func (c *cli) rulesGraphCommand(o *ruling) *cobra.Command {
	return &cobra.Command{
		Use:   "graph",
		Short: "Print the relations between rules: triggers, depends_on and contains",
		Args:  between(0, 0, ""),
		RunE: func(_ *cobra.Command, _ []string) error {
			list, err := o.rules()
			if err != nil {
				return err
			}
			return c.printRelations(*o, rules.Relations(list))
		},
	}
}

// rules returns the rules that were asked for.
func (o *ruling) rules() ([]rules.Rule, error) {
	book, err := rules.Load()
	if err != nil {
		return nil, err
	}
	f := o.filter
	f.Area, f.Kind = strings.ToUpper(f.Area), rules.Kind(o.kind)
	known := func(what, name string, names []string, see string) error {
		if name == "" || slices.Contains(names, name) {
			return nil
		}
		return usage{errors.New(slip(fmt.Sprintf("there is no %s %q", what, name), name, names, see))}
	}
	var areas, kinds, limits []string
	for _, a := range book.Areas {
		areas = append(areas, a.ID)
	}
	for _, k := range rules.Kinds {
		kinds = append(kinds, string(k))
	}
	for _, l := range limit.All {
		limits = append(limits, l.Name)
	}
	err = errors.Join(
		known("area", f.Area, areas, "there are "+strings.Join(areas, ", ")),
		known("kind", o.kind, kinds, "there are "+strings.Join(kinds, ", ")),
		known("limit", f.Limit, limits, "see longrein limits"))
	return f.Of(book.Rules), err
}

// listRules lists rules, with words those in which they are found.
func (c *cli) listRules(o ruling, words []string) error {
	list, err := o.rules()
	if err != nil {
		return err
	}
	if words != nil {
		list = rules.Search(list, strings.Fields(strings.Join(words, " ")))
	}
	if o.asJSON {
		return c.printRulesJSON(list)
	}
	w := tabwriter.NewWriter(c.out, 0, 4, 2, ' ', 0)
	for _, r := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Area, r.Kind, r.Statement)
	}
	return w.Flush()
}

func (c *cli) printRulesJSON(list []rules.Rule) error {
	lines := newJSONLines(c.out)
	for _, r := range list {
		lines.write(r)
	}
	return lines.err
}

// showRules prints rules whole.
func (c *cli) showRules(o ruling, ids []string) error {
	book, err := rules.Load()
	if err != nil {
		return err
	}
	var list []rules.Rule
	for _, id := range ids {
		r := book.Rule(id)
		if r == nil {
			return noRule(book, id)
		}
		list = append(list, *r)
	}
	if o.asJSON {
		return c.printRulesJSON(list)
	}
	for i, r := range list {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		c.printRule(r)
	}
	return nil
}

// noRule says that a rule is not there, and which ones are near.
func noRule(book *rules.Book, id string) error {
	what := fmt.Sprintf("there is no rule %q", id)
	words := strings.FieldsFunc(strings.ToLower(id), func(r rune) bool { return r == '.' || r == '-' || r == '_' || r == ' ' })
	var near []string
	for _, r := range rules.Search(book.Rules, words) {
		near = append(near, r.ID)
	}
	try := "see longrein rules list"
	if len(near) > 0 {
		try = "near it: " + strings.Join(near[:min(3, len(near))], ", ")
	}
	return usage{errors.New(slip(what, id, book.IDs(), try))}
}

// printRule prints all there is of a rule.
func (c *cli) printRule(r rules.Rule) {
	fmt.Fprintf(c.out, "%s (%s)\n  %s\n", r.ID, r.Kind, r.Statement)
	if r.Formula != "" {
		fmt.Fprintf(c.out, "  formula: %s\n", r.Formula)
	}
	for _, name := range r.Limits {
		if l := limit.Named(name); l != nil {
			fmt.Fprintf(c.out, "  limit %s = %d %s: %s\n", name, l.Default, l.Unit, l.What)
		}
	}
	for _, key := range r.Settings {
		fmt.Fprintf(c.out, "  setting %s\n", key)
	}
	for _, rel := range rules.Relations([]rules.Rule{r}) {
		fmt.Fprintf(c.out, "  %s %s\n", rel.Kind, rel.To)
	}
	for _, e := range r.Examples {
		fmt.Fprintf(c.out, "  - %s\n    %s\n", e.Sentence(), e.Test)
	}
}

func (c *cli) printRelations(o ruling, list []rules.Relation) error {
	switch {
	case o.dot:
		return rules.WriteDot(c.out, list)
	case o.asJSON:
		lines := newJSONLines(c.out)
		for _, r := range list {
			lines.write(r)
		}
		return lines.err
	}
	for _, r := range list {
		fmt.Fprintln(c.out, r.From, r.Kind, r.To)
	}
	return nil
}
