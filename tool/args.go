package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// args are a call's arguments on their way to being read: each getter names an
// argument that the tool takes, and err tells the first that is wrong, missing
// or not among them.
type args struct {
	raw   map[string]json.RawMessage
	taken []string
	first error
}

// parse reads the JSON text of a call's arguments. No text at all means none.
func parse(text string) (*args, error) {
	a := &args{}
	if strings.TrimSpace(text) == "" {
		return a, nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	err := dec.Decode(&a.raw)
	if err == nil && a.raw == nil {
		return nil, errors.New("its arguments must be a JSON object, not null")
	}
	if err == nil {
		if _, err = dec.Token(); err == io.EOF {
			return a, nil
		}
		return nil, errors.New("its arguments must be one JSON object, and something follows it")
	}
	return nil, fmt.Errorf("its arguments are not a JSON object: %s", explain(err, text))
}

// explain says where JSON is wrong.
func explain(err error, text string) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "they end too early"
	case errors.As(err, &syntax):
		at := min(max(int(syntax.Offset)-1, 0), len(text))
		return fmt.Sprintf("%v at byte %d, before %.20q", err, at, text[at:])
	case errors.As(err, &kind):
		return "they are a " + kind.Value
	}
	return err.Error()
}

// err returns what is wrong with the arguments, nil if all could be read.
func (a *args) err() error {
	if a.first != nil {
		return a.first
	}
	for _, name := range slices.Sorted(keys(a.raw)) {
		if !slices.Contains(a.taken, name) {
			return fmt.Errorf("it takes no argument %q, only %s", name, strings.Join(a.taken, ", "))
		}
	}
	return nil
}

func keys(m map[string]json.RawMessage) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (a *args) fail(format string, v ...any) {
	if a.first == nil {
		a.first = fmt.Errorf(format, v...)
	}
}

// take decodes an argument into v and reports whether it is there. Null is the
// same as absent: some models fill in every argument they know of.
func (a *args) take(name, want string, v any) bool {
	a.taken = append(a.taken, name)
	raw, ok := a.raw[name]
	if !ok || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return false
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		a.fail("%q must be %s, not %.60s", name, want, raw)
		return false
	}
	return true
}

// text returns a string argument, "" if it is absent.
func (a *args) text(name string) (v string) {
	a.take(name, "a string", &v)
	return v
}

// need returns a string argument that must be there.
func (a *args) need(name string) (v string) {
	if !a.take(name, "a string", &v) || strings.TrimSpace(v) == "" {
		a.fail("%q is missing", name)
	}
	return v
}

// number returns a whole number of at least 0, 0 if it is absent.
func (a *args) number(name string) int64 {
	var v float64
	if !a.take(name, "a number", &v) {
		return 0
	}
	if v < 0 || v != math.Trunc(v) || v > math.MaxInt32*1e6 {
		a.fail("%q must be a whole number of at least 0, not %v", name, v)
		return 0
	}
	return int64(v)
}

// flag returns a truth value, false if it is absent.
func (a *args) flag(name string) (v bool) {
	a.take(name, "true or false", &v)
	return v
}
