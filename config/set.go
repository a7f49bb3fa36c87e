package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The keys whose setting is more than putting a value into its place.

func setStrategy(s *Settings, _ []string, v value) error {
	name, err := word.read(v)
	if err != nil {
		return err
	}
	if len(s.strategies) > 0 && !slices.Contains(s.strategies, name) {
		return fmt.Errorf("want %s%s", either(s.strategies), DidYouMean(name, s.strategies))
	}
	s.Strategy = name
	return nil
}

// Of a text and a file with a text, the later is used.
func setBase(s *Settings, _ []string, v value) error {
	s.baseFile = ""
	return text.into(v, &s.Base)
}

func setBaseFile(s *Settings, _ []string, v value) error {
	s.Base = ""
	return path.into(v, &s.baseFile)
}

// errSecret answers a key that stands in the settings themselves.
var errSecret = errors.New("keys do not belong in settings, which get copied and shared; " +
	"name where the key is with key_env, key_file or key_command")

func setHeader(s *Settings, names []string, v value) error {
	content, err := headerText.read(v)
	switch {
	case !headerName(names[1]):
		return errors.New("want the name of an HTTP header")
	case slices.Contains(keyHeaders, strings.ToLower(names[1])):
		return errSecret
	case err != nil:
		return err
	}
	p := s.Providers[names[0]]
	put(&p.Headers, names[1], content)
	s.Providers[names[0]] = p
	return nil
}

var (
	headerName = madeOf(alphanumeric + "!#$%&'*+.^_`|~-")
	headerText = checked(text, "a text without control characters", func(s string) bool { return !strings.ContainsFunc(s, isControl) })
	keyHeaders = []string{"authorization", "proxy-authorization", "x-api-key", "api-key", "cookie"}
)

func setQuery(s *Settings, names []string, v value) error {
	content, err := text.read(v)
	switch {
	case slices.Contains(secretNames, strings.ToLower(names[1])):
		return errSecret
	case err != nil:
		return err
	}
	p := s.Providers[names[0]]
	put(&p.Query, names[1], content)
	s.Providers[names[0]] = p
	return nil
}

func put(m *map[string]string, k, v string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[k] = v
}

func setFallbacks(s *Settings, _ []string, v value) error {
	return listOf(fileName).into(v, &s.Fallbacks)
}
