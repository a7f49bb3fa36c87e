package harness

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/redact"
)

// secrecy is the harness's redactor, made when it is needed first.
type secrecy struct {
	once sync.Once
	r    *redact.Redactor
}

// Redactor returns what takes secrets out of texts, whatever the settings say: for
// what leaves this machine.
func (h *Harness) Redactor() *redact.Redactor {
	h.secrets.once.Do(func() {
		values := redact.Secrets(h.opts.Env)
		for _, name := range h.provided {
			values = append(values, redact.Secret{Name: name, Value: h.env(name)})
		}
		for _, p := range sorted(h.opts.Settings.Providers) {
			if name := p.Key.Env; name != "" {
				values = append(values, redact.Secret{Name: name, Value: h.env(name)})
			}
		}
		h.secrets.r = redact.New(h.redactKey(), append(values, h.envFiles()...))
	})
	return h.secrets.r
}

// redactor is the one for logs; nil when they are to keep secrets.
func (h *Harness) redactor() *redact.Redactor {
	if !h.opts.Settings.Privacy.Redact {
		return nil
	}
	return h.Redactor()
}

func (h *Harness) redactInput() func(string) (string, int) {
	if r := h.redactor(); r != nil {
		return r.Replace
	}
	return nil
}

// redactKey returns the user's own key, which is made when there is none. Without a
// disk to keep it on, placeholders differ from process to process.
func (h *Harness) redactKey() []byte {
	name := filepath.Join(h.opts.Settings.Paths.Data, "redact.key")
	key, err := os.ReadFile(name)
	if err == nil && len(key) == 32 { // fixed: what this function writes
		return key
	}
	key = make([]byte, 32)
	rand.Read(key) // never fails
	if h.opts.Ephemeral || err == nil || !errors.Is(err, fs.ErrNotExist) {
		return key
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return key
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		if now, err := os.ReadFile(name); err == nil && len(now) == len(key) {
			return now // another process was faster
		}
		return key
	}
	_, err = f.Write(key)
	if errors.Join(err, f.Close()) != nil {
		os.Remove(name) // half a key is none
	}
	return key
}

// envFiles reads the secrets of the .env files in the working directory and at the
// project's root.
func (h *Harness) envFiles() (out []redact.Secret) {
	for _, dir := range slices.Compact([]string{h.opts.Cwd, h.root()}) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".env") {
				out = append(out, h.envFile(filepath.Join(dir, e.Name()))...)
			}
		}
	}
	return out
}

func (h *Harness) envFile(name string) []redact.Secret {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if most := h.opts.Settings.Limits.Of(limit.EnvFile); info.Size() > most {
		h.opts.Notify(fmt.Sprintf("%s has %d bytes, more than the limit %s of %d: secrets in it are not known and not redacted", name, info.Size(), limit.EnvFile.Name, most))
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return redact.EnvFile(string(data))
}
