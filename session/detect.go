package session

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Detect finds out in which form a session is recorded from the first bytes of
// its file, a few whole lines if possible. It goes by content alone.
func Detect(first []byte) (Format, bool) {
	const lines = 50
	rest := bytes.TrimLeft(bytes.TrimPrefix(first, bom), " \t\r\n\x00")
	if f, ok := judge(sketchOf(rest), first); ok {
		return f, true
	}
	for range lines {
		_, after, ok := bytes.Cut(rest, []byte{'\n'})
		if !ok {
			break
		}
		rest = trimmed(after)
		if f, ok := judge(sketchOf(rest), first); ok {
			return f, true
		}
	}
	return "", false
}

// sketch is what the beginning of a JSON value shows: the value of each path
// that is not deep, "{" and "[" for objects and arrays. It needs no whole value.
type sketch map[string]string

func sketchOf(b []byte) sketch {
	k := sketch{}
	if len(b) == 0 || b[0] != '{' && b[0] != '[' {
		return k
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	k.value(d, "", 0)
	return k
}

// value notes the value that comes next; false when the text breaks off.
func (k sketch) value(d *json.Decoder, path string, depth int) bool {
	const deepest, most, hopeless = 4, 512, 100 // fixed: a sketch; what is deeper does not tell forms apart
	if _, known := k[path]; !known && depth <= deepest && len(k) < most {
		k[path] = "" // it is there, even if it breaks off
	}
	tok, err := d.Token()
	if err != nil || depth > hopeless {
		return false
	}
	seen := ""
	switch tok := tok.(type) {
	case json.Delim:
		seen = tok.String()
	case string:
		seen = tok
	case json.Number:
		seen = tok.String()
	}
	if was, noted := k[path]; noted && was == "" {
		k[path] = seen
	}
	switch tok {
	case json.Delim('{'):
		for d.More() {
			key, err := d.Token()
			name, ok := key.(string)
			if err != nil || !ok || !k.value(d, join(path, name, depth), depth+1) {
				return false
			}
		}
	case json.Delim('['):
		for d.More() {
			if !k.value(d, join(path, "[]", depth), depth+1) {
				return false
			}
		}
	default:
		return true
	}
	_, err = d.Token()
	return err == nil
}

func join(path, name string, depth int) string {
	const deepest = 4 // fixed: known forms are flatter
	if depth > deepest || path == "" {
		return name
	}
	return path + "." + name
}

func (k sketch) has(paths ...string) bool {
	for _, p := range paths {
		if _, ok := k[p]; !ok {
			return false
		}
	}
	return true
}

func (k sketch) any(paths ...string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return k.has(p) })
}

func (k sketch) is(path string, values ...string) bool {
	v, ok := k[path]
	return ok && slices.Contains(values, v)
}

func (k sketch) starts(path string, prefixes ...string) bool {
	v := k[path]
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(v, p) })
}

// judge names the form of a record or document.
func judge(k sketch, file []byte) (Format, bool) {
	for _, r := range rules {
		if r.fits(k) {
			return refine(r.format, file), true
		}
	}
	return "", false
}

// refine tells forms apart that have the same structure.
func refine(f Format, file []byte) Format {
	switch {
	case f == Pi && bytes.Contains(file, []byte("openclaw")):
		return OpenClaw
	case f == OpenAIChat && (bytes.Contains(file, []byte("mswea_bash_command")) || bytes.Contains(file, []byte("<returncode>"))):
		return MiniSWEAgent
	}
	return f
}
