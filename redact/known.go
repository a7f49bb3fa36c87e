package redact

import (
	"bufio"
	"strings"
)

// Secrets returns the variables of an environment, as from os.Environ, whose names
// and values look secret.
func Secrets(env []string) []Secret {
	var out []Secret
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if SecretName(name) && looksSecret(value) {
			out = append(out, Secret{name, value})
		}
	}
	return out
}

// EnvFile returns the secrets among the lines NAME=value of a .env file. Since such
// files are made for secrets, a value that looks like one counts whatever its
// variable is called, unless it is an address or a path.
func EnvFile(content string) []Secret {
	var out []Secret
	lines := bufio.NewScanner(strings.NewReader(content))
	lines.Buffer(nil, len(content)+1)
	for lines.Scan() {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(lines.Text()), "export "), "=")
		name, value = strings.TrimSpace(name), unquoted(value)
		switch {
		case !ok || strings.HasPrefix(name, "#"):
		case SecretName(name) && len(value) >= leastSecret, looksSecret(value) && !strings.ContainsAny(value, "/ "):
			out = append(out, Secret{name, value})
		}
	}
	return out
}

// leastSecret is the shortest value of a .env file that is looked for everywhere.
const leastSecret = 6 // fixed: a shorter one is found in ordinary words

// unquoted returns a value without its quotes, or without the comment behind it.
func unquoted(value string) string {
	value = strings.TrimSpace(value)
	for _, q := range []string{`"`, `'`} {
		if rest, ok := strings.CutPrefix(value, q); ok {
			value, _, _ = strings.Cut(rest, q)
			return value
		}
	}
	value, _, _ = strings.Cut(value, " #")
	return strings.TrimSpace(value)
}
