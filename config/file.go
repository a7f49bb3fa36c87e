package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/pelletier/go-toml/v2"

	"github.com/longrein/longrein/limit"
)

// file applies the settings file at name, which need not be there. Paths in it
// are relative to folder.
func (l *loader) file(name, folder string) {
	data, err := read(name, l.settings.Limits)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.problem(name, err.Error())
		return
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	var doc map[string]any
	if err := toml.Unmarshal(data, &doc); err != nil {
		l.problem(syntaxPlace(name, err), err.Error())
		return
	}
	index := newPositions(name, data)
	l.table(nil, value{v: doc, folder: folder, home: l.home}, index.place)
}

func syntaxPlace(name string, err error) string {
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return name
	}
	line, column := at.Position()
	return fmt.Sprintf("%s:%d:%d", name, line, column)
}

// read returns a whole file of a bounded size. What is no ordinary file is
// refused and never waited for.
func read(name string, limits limit.Set) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cause(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("is not an ordinary file")
	}
	most := limits.Of(limit.SettingsFile)
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cause(err))
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("is larger than %d bytes, the limit settings-file", most)
	}
	return data, nil
}

// cause is err without the path, which the problem's place says already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// name of the settings file, in our own folder and in a project's.
const fileTOML = "config.toml"

func projectFile(folder string) string {
	return filepath.Join(folder, ".longrein", fileTOML)
}
