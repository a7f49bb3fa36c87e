package config

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// kind is a sort of value: its name, and how one is read. The error of read
// follows the key's name: "want …".
type kind[T any] struct {
	name string
	read func(v value) (T, error)
}

func (k kind[T]) into(v value, p *T) error {
	got, err := k.read(v)
	if err == nil {
		*p = got
	}
	return err
}

// value is what a source says. Its paths are relative to folder.
type value struct {
	v      any    // as TOML has it
	raw    string // as it was typed, in a variable or flag; else empty
	folder string
	home   string // the user's, which ~ stands for
}

// text returns the value as a string. What was typed without quotes is one,
// even if it reads as something else in TOML.
func (v value) text() (string, bool) {
	s, ok := v.v.(string)
	if !ok && v.raw != "" {
		return v.raw, true
	}
	return s, ok
}

var (
	text = kind[string]{"string", func(v value) (string, error) {
		s, ok := v.text()
		if !ok {
			return "", wrongType("a string", v)
		}
		return s, nil
	}}
	// word is a text that must say something, on one line.
	word = checked(text, "a string that is not empty, on one line", func(s string) bool {
		return strings.TrimSpace(s) != "" && !strings.ContainsFunc(s, isControl)
	})
	variable  = checked(text, "the name of an environment variable, such as OPENAI_API_KEY", isVariable)
	variables = checked(text, "the name of an environment variable; * and ? may stand for other characters", madeOf(alphanumeric+"_*?"))
	fileName  = checked(word, "a file's name without folders", func(s string) bool {
		return filepath.Base(s) == s && s != "." && s != ".." && !strings.ContainsAny(s, `/\`)
	})

	address = named("URL", checked(word, "a URL such as http://127.0.0.1:8080/v1, without a user or password", isAddress))
	proxy   = named("URL", checked(word, `"direct", or a URL with http, https, socks5 or socks5h, such as socks5h://127.0.0.1:1080`, isProxy))

	boolean = kind[bool]{"boolean", func(v value) (bool, error) {
		b, ok := v.v.(bool)
		if !ok {
			return false, wrongType("true or false", v)
		}
		return b, nil
	}}
	tokens = kind[int]{"integer", func(v value) (int, error) {
		n, ok := v.v.(int64)
		if !ok {
			return 0, wrongType("a number of tokens", v)
		}
		if n < 1 || n > maxTokens {
			return 0, fmt.Errorf("want 1 to %d tokens", maxTokens)
		}
		return int(n), nil
	}}
	price = kind[*float64]{"number", readPrice}
	path  = kind[string]{"path", readPath}

	wire   = oneOf(longrein.WireResponses, longrein.WireChat, longrein.WireMessages)
	server = oneOf("openai", "anthropic", "ollama", "llama.cpp", "vllm", "lmstudio", "openrouter", "deepseek", simulated)

	keyEnv = kind[Key]{variable.name, func(v value) (Key, error) {
		s, err := variable.read(v)
		if err != nil {
			return Key{}, fmt.Errorf("%w; the key itself does not belong in settings", err)
		}
		return Key{Env: s}, nil
	}}
	keyFile = kind[Key]{path.name, func(v value) (Key, error) {
		s, err := path.read(v)
		return Key{File: s}, err
	}}
	keyCommand = kind[Key]{"string or list of strings", readKeyCommand}
)

// maxTokens is more than any model takes.
const maxTokens = 1_000_000_000 // fixed: more is refused, and told this

// checked is k with one condition more.
func checked(k kind[string], want string, ok func(string) bool) kind[string] {
	return kind[string]{k.name, func(v value) (string, error) {
		s, err := k.read(v)
		if err == nil && !ok(s) {
			err = errors.New("want " + want)
		}
		return s, err
	}}
}

func named[T any](name string, k kind[T]) kind[T] { return kind[T]{name, k.read} }

// oneOf takes one of a few words.
func oneOf[T ~string](allowed ...T) kind[T] {
	words := make([]string, len(allowed))
	for i, w := range allowed {
		words[i] = string(w)
	}
	list := either(words)
	return kind[T]{list, func(v value) (T, error) {
		s, err := text.read(v)
		if err != nil || slices.Contains(words, s) {
			return T(s), err
		}
		return "", fmt.Errorf("want %s%s", list, DidYouMean(s, words))
	}}
}

// listOf takes a list whose every element is of kind k.
func listOf(k kind[string]) kind[[]string] {
	return kind[[]string]{"list of " + k.name + "s", func(v value) ([]string, error) {
		list, ok := v.v.([]any)
		if !ok {
			return nil, wrongType(`a list such as ["one", "two"]`, v)
		}
		out := make([]string, len(list))
		for i, e := range list {
			s, err := k.read(value{v: e, folder: v.folder, home: v.home})
			if err != nil {
				return nil, fmt.Errorf("element %d: %w", i+1, err)
			}
			out[i] = s
		}
		return out, nil
	}}
}

// readKeyCommand takes a command for the shell, or a list of a program and its
// arguments, which is quoted for the shell.
func readKeyCommand(v value) (Key, error) {
	if _, ok := v.v.([]any); !ok {
		s, err := word.read(v)
		return Key{Command: s}, err
	}
	args, err := listOf(text).read(v)
	if err != nil || len(args) == 0 || args[0] == "" {
		return Key{}, errors.New(`want a command, or a program and its arguments, such as ["pass", "show", "openai"]`)
	}
	for i, a := range args {
		args[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return Key{Command: strings.Join(args, " ")}, nil
}

func readPrice(v value) (*float64, error) {
	var p float64
	switch n := v.v.(type) {
	case int64:
		p = float64(n)
	case float64:
		p = n
	default:
		return nil, wrongType("US dollars for a million tokens", v)
	}
	if !(p >= 0) || math.IsInf(p, 0) {
		return nil, errors.New("want US dollars for a million tokens, 0 or more")
	}
	return &p, nil
}

func readPath(v value) (string, error) {
	s, err := word.read(v)
	if err != nil {
		return "", err
	}
	if rest, ok := strings.CutPrefix(s, "~"); ok && (rest == "" || rest[0] == '/') {
		s = v.home + rest
	}
	if !filepath.IsAbs(s) {
		s = filepath.Join(v.folder, s)
	}
	return filepath.Clean(s), nil
}

func isAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil &&
		u.RawQuery == "" && u.Fragment == ""
}

func isProxy(s string) bool {
	u, err := url.Parse(s)
	return s == "direct" || err == nil && u.Host != "" &&
		slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
}

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// madeOf returns a test for texts of these characters; an empty one fails it.
func madeOf(chars string) func(string) bool {
	return func(s string) bool { return s != "" && strings.Trim(s, chars) == "" }
}

func isVariable(s string) bool {
	return madeOf(alphanumeric+"_")(s) && (s[0] < '0' || s[0] > '9')
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// wrongType says what is wanted and what is there.
func wrongType(want string, v value) error {
	return fmt.Errorf("want %s, not %s", want, typeName(v.v))
}

func typeName(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "an integer"
	case float64:
		return "a number with a fraction"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}

// either lists words for a sentence: "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
