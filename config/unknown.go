package config

import (
	"fmt"
	"slices"
	"strings"
)

// unknown says why path is no key, and what may have been meant.
func unknown(path []string) string {
	if isTable(path) {
		return fmt.Sprintf("%s is a table, not a value; it holds %s", dotted(path), either(parts(path)))
	}
	known := 0
	for isTable(path[:known]) {
		known++
	}
	wrong, name := path[known-1], dotted(path[:known])
	if k, _ := find(path[:known]); k != nil {
		return fmt.Sprintf("%s is a %s and has no keys in it", name, k.kind)
	}
	switch {
	case slices.Contains(secretNames, strings.ToLower(wrong)):
		return name + ": " + errSecret.Error()
	case known > 1 && known == len(path) && isTopLevel(wrong):
		return fmt.Sprintf("there is no key %s; %s belongs above the first [table]", name, wrong)
	}
	here := parts(path[:known-1])
	if hint := DidYouMean(wrong, here); hint != "" {
		return "there is no key " + name + hint
	}
	if path[0] == "models" {
		return fmt.Sprintf("there is no key %s; possible here: %s; a model's name with dots needs quotes: models.\"gpt-5.4\"", name, either(here))
	}
	return fmt.Sprintf("there is no key %s; possible here: %s", name, either(here))
}

// secretNames are names under which people put a key itself.
var secretNames = []string{
	"key", "api_key", "api-key", "apikey", "api_token", "token", "access_token", "auth_token", "secret", "password", "bearer",
}

// parts returns what may follow path in a key.
func parts(path []string) []string {
	var out []string
	for _, k := range keys {
		if len(k.path) <= len(path) || !begins(k.path, path) {
			continue
		}
		part := k.path[len(path)]
		if part == anyName {
			part = "NAME"
		}
		if !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

func isTopLevel(name string) bool {
	return slices.ContainsFunc(keys, func(k key) bool { return len(k.path) == 1 && k.path[0] == name })
}
