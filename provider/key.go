package provider

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// KeySpec says where a provider's key comes from: the first of Env, File and
// Command that is set.
type KeySpec struct {
	Provider string // its name, for messages
	Env      string // an environment variable
	File     string // a file that only its owner can read
	Command  string // a shell command that prints the key
	Limits   limit.Set
	// Stderr is where a command's error output goes as it comes, so that a
	// password manager can ask; nil keeps it for the error. Standard output is
	// never shown.
	Stderr io.Writer
}

// KeyFrom returns a function that fetches the key, or nil if spec names no
// source. Its errors are [*longrein.ModelError] of the kind [longrein.ErrAuth]
// that say what to do and hold no part of a key; when the context ends, its
// error instead. Environment and file are read each time, so a changed key
// counts at once; a command is run once, and again only if it failed.
func KeyFrom(spec KeySpec) func(context.Context) (string, error) {
	switch {
	case spec.Env != "":
		return func(context.Context) (string, error) { return spec.fromEnv() }
	case spec.File != "":
		return func(context.Context) (string, error) { return spec.fromFile() }
	case spec.Command != "":
		return newKeyCommand(spec).key
	}
	return nil
}

func (s KeySpec) fromEnv() (string, error) {
	return s.check(os.Getenv(s.Env), "the environment variable "+s.Env,
		"set it, or name another source with key_file or key_command")
}

func (s KeySpec) fromFile() (string, error) {
	info, err := os.Stat(s.File)
	switch {
	case err != nil:
		return "", s.fail(err, "the key file cannot be read: %v", err)
	case !info.Mode().IsRegular():
		return "", s.fail(nil, "the key file %s is not a file", s.File)
	case info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows":
		return "", s.fail(nil, "others can read the key file %s (mode %04o); run: chmod 600 %s", s.File, info.Mode().Perm(), s.File)
	}
	text, err := readUpTo(s.File, s.Limits.Of(limit.KeySize)+1)
	if err != nil {
		return "", s.fail(err, "the key file cannot be read: %v", err)
	}
	return s.check(text, "the key file "+s.File, "write the key into it, and nothing else")
}

func readUpTo(file string, n int64) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, n))
	return string(text), err
}

// check returns the key in text, which came from source. What holds more than
// one word is refused, for it cannot be sent in a header.
func (s KeySpec) check(text, source, try string) (string, error) {
	key := strings.TrimSpace(text)
	switch {
	case key == "":
		return "", s.fail(nil, "%s holds no key; %s", source, try)
	case int64(len(text)) > s.Limits.Of(limit.KeySize):
		return "", s.fail(nil, "%s holds more than %d bytes (limit key-size), which is no key", source, s.Limits.Of(limit.KeySize))
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", s.fail(nil, "%s holds more than a key: spaces, line breaks or characters that no key has", source)
	}
	return key, nil
}

func (s KeySpec) fail(err error, format string, args ...any) error {
	return &longrein.ModelError{
		Kind: longrein.ErrAuth,
		Text: Endpoint{Name: s.Provider}.name() + ": " + fmt.Sprintf(format, args...),
		Err:  err,
	}
}
