package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A project's settings can name commands to run and servers to send a key to,
// so they count only once the user trusted the folder. Trust is kept in a file
// of ours with one folder a line, never in the project.

// Trust records that the settings of the project at folder may be used.
func (p Paths) Trust(folder string) error {
	folder, err := resolved(folder)
	if err != nil {
		return fmt.Errorf("trust %s: %w", folder, err)
	}
	if strings.ContainsAny(folder, "\r\n") {
		return fmt.Errorf("trust %q: a path with a line end cannot be recorded", folder)
	}
	if trusted, err := p.Trusted(folder); trusted || err != nil {
		return err
	}
	if err := p.appendTrust(folder); err != nil {
		return fmt.Errorf("trust %s: %w", folder, err)
	}
	return nil
}

func (p Paths) appendTrust(folder string) error {
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(p.trustFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(folder + "\n")
	return errors.Join(err, f.Close())
}

// Trusted reports whether [Paths.Trust] was called for folder. Trust does not
// reach to the folders in it.
func (p Paths) Trusted(folder string) (bool, error) {
	folder, err := resolved(folder)
	if err != nil {
		return false, fmt.Errorf("look up trust in %s: %w", folder, err)
	}
	list, err := read(p.trustFile(), nil)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s %w", p.trustFile(), err)
	}
	return slices.Contains(strings.Split(string(list), "\n"), folder), nil
}

func (p Paths) trustFile() string { return filepath.Join(p.Data, "trusted") }

// resolved returns the one absolute path of folder without symbolic links. On
// an error it returns folder, for the message.
func resolved(folder string) (string, error) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return folder, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return folder, err
	}
	return real, nil
}
