package check

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/longrein/longrein/compare"
	"github.com/longrein/longrein/config"
)

// keys are those of rules, and how each is read. An error says what is wanted.
var keys = map[string]func(*Rule, any) error{
	"name":     func(r *Rule, v any) error { return word(v, &r.Name) },
	"strategy": func(r *Rule, v any) error { return word(v, &r.Strategy) },
	"window":   func(r *Rule, v any) error { return number(v, &r.Window, 1, 1_000_000_000, "a number of tokens") },
	"profile":  setProfile,
	"optional": func(r *Rule, v any) error { return flag(v, &r.Optional) },

	"text":          setText,
	"pattern":       setPattern,
	"for_windows":   func(r *Rule, v any) error { return number(v, &r.Windows, 1, 1_000_000, "a number of windows") },
	"within":        func(r *Rule, v any) error { return oneOf(v, &r.Within, "window", "session") },
	"after_step":    func(r *Rule, v any) error { return number(v, &r.After, 1, 1_000_000_000, "a number of steps") },
	"most_tokens":   func(r *Rule, v any) error { return many(v, &r.Most, "a number of tokens") },
	"most_percent":  setMostPercent,
	"most_usd":      func(r *Rule, v any) error { return amount(v, &r.Most, 1e12, "an amount of US dollars") },
	"most_windows":  func(r *Rule, v any) error { return many(v, &r.Most, "a number of windows") },
	"most_seconds":  func(r *Rule, v any) error { return amount(v, &r.Most, 1e12, "a number of seconds") },
	"least_percent": func(r *Rule, v any) error { return amount(v, &r.Least, 100, "a share from 0 to 100") },
	"of":            setOf,
	"seen":          setSeen,
	"allow_expired": func(r *Rule, v any) error { return flag(v, &r.AllowExpired) },
}

func word(v any, to *string) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("want a string, not %s", typeName(v))
	}
	if strings.TrimSpace(s) == "" || strings.ContainsFunc(s, unicode.IsControl) {
		return errors.New("want a string that is not empty, on one line")
	}
	*to = s
	return nil
}

func number(v any, to *int, least, most int64, what string) error {
	n, ok := v.(int64)
	if !ok {
		return fmt.Errorf("want %s, not %s", what, typeName(v))
	}
	if n < least || n > most {
		return fmt.Errorf("want %s, from %d to %d", what, least, most)
	}
	*to = int(n)
	return nil
}

// many is a whole number where others may have a fraction.
func many(v any, to *float64, what string) error {
	var n int
	err := number(v, &n, 1, 1_000_000_000, what)
	*to = float64(n)
	return err
}

func amount(v any, to *float64, most float64, what string) error {
	switch n := v.(type) {
	case int64:
		*to = float64(n)
	case float64:
		*to = n
	default:
		return fmt.Errorf("want %s, not %s", what, typeName(v))
	}
	if math.IsNaN(*to) || *to < 0 || *to > most {
		return fmt.Errorf("want %s, not below 0 and not above %s", what, decimal(most))
	}
	return nil
}

func flag(v any, to *bool) error {
	b, ok := v.(bool)
	if !ok {
		return fmt.Errorf("want true or false, not %s", typeName(v))
	}
	*to = b
	return nil
}

func oneOf(v any, to *string, allowed ...string) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("want a string, not %s", typeName(v))
	}
	if !slices.Contains(allowed, s) {
		return fmt.Errorf("want one of %s%s", strings.Join(allowed, ", "), config.DidYouMean(s, allowed))
	}
	*to = s
	return nil
}

func setProfile(r *Rule, v any) error {
	if err := word(v, &r.Profile); err != nil {
		return err
	}
	_, err := compare.ParseProfile(r.Profile, nil)
	return err
}

func setText(r *Rule, v any) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("want a string, not %s", typeName(v))
	}
	if r.Text = normal(s); r.Text == "" {
		return errors.New("want a text that is not empty")
	}
	return nil
}

func setPattern(r *Rule, v any) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("want a regular expression as a string, not %s", typeName(v))
	}
	p, err := regexp.Compile(s)
	if err != nil {
		return fmt.Errorf("want a regular expression as RE2 has it: %w", err)
	}
	if p.MatchString("") {
		return errors.New("the pattern matches an empty text, so it matches always")
	}
	r.Pattern = p
	return nil
}

func setMostPercent(r *Rule, v any) error {
	r.Percent = true
	return amount(v, &r.Most, 100, "a share from 0 to 100")
}

func setOf(r *Rule, v any) error {
	names := []string{"all"}
	for k := range compare.Kinds {
		names = append(names, k.String())
	}
	var name string
	if err := oneOf(v, &name, names...); err != nil {
		return err
	}
	if name != "all" {
		r.Of = compare.Kind(slices.Index(names, name) - 1)
	}
	return nil
}

func setSeen(r *Rule, v any) error {
	var name string
	names := []string{"verbatim", "summary", "reference"}
	if err := oneOf(v, &name, names...); err != nil {
		return err
	}
	r.Seen = compare.How(slices.Index(names, name))
	return nil
}

func typeName(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "a whole number"
	case float64:
		return "a number"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
