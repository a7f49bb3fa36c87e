package rules

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed data/*.toml
var data embed.FS

// Book holds the rules. Areas are in the order of their files; Rules are in the
// order of their areas and IDs.
type Book struct {
	Areas []Area
	Rules []Rule
}

// Load returns the book that is built in.
func Load() (*Book, error) {
	files, err := fs.Sub(data, "data")
	if err != nil {
		return nil, fmt.Errorf("read the rule book: %w", err)
	}
	return Read(files)
}

// Read returns the book whose areas are the TOML files in a folder. A key that
// there is not is an error, which names the file and the line.
func Read(folder fs.FS) (*Book, error) {
	names, err := fs.Glob(folder, "*.toml")
	if err != nil {
		return nil, fmt.Errorf("read the rule book: %w", err)
	}
	book := new(Book)
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, fmt.Errorf("read the rule book: %w", err)
		}
		if err := book.add(text); err != nil {
			return nil, fmt.Errorf("read the rule book: %s: %w", name, err)
		}
	}
	return book, nil
}

// add reads one area's file.
func (b *Book) add(text []byte) error {
	var file struct {
		ID    string `toml:"area"`
		Title string `toml:"title"`
		About string `toml:"about"`
		Rules []Rule `toml:"rule"`
	}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&file); err != nil {
		return err
	}
	for i := range file.Rules {
		file.Rules[i].Area = file.ID
	}
	b.Areas = append(b.Areas, Area{ID: file.ID, Title: file.Title, About: file.About})
	b.Rules = append(b.Rules, file.Rules...)
	return nil
}

// Rule returns the rule of that ID, in whatever case it is written, or nil.
func (b *Book) Rule(id string) *Rule {
	i := slices.IndexFunc(b.Rules, func(r Rule) bool { return strings.EqualFold(r.ID, id) })
	if i < 0 {
		return nil
	}
	return &b.Rules[i]
}

// IDs returns the IDs of all rules, in the book's order.
func (b *Book) IDs() []string {
	ids := make([]string, len(b.Rules))
	for i, r := range b.Rules {
		ids[i] = r.ID
	}
	return ids
}
