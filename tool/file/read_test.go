package file_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein/tool/file"
)

func TestRead(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := map[string]struct {
		content              string
		first, count, budget int
		want                 file.Page
	}{
		"a whole file":              {"1\n2\n", 0, 0, 100, file.Page{Text: "1\n2\n", First: 1, Last: 2, Total: 2}},
		"an empty file":             {"", 0, 0, 100, file.Page{First: 1}},
		"a last line without end":   {"1\n2", 0, 0, 100, file.Page{Text: "1\n2", First: 1, Last: 2, Total: 2}},
		"a range":                   {"1\n2\n3\n4\n", 2, 2, 100, file.Page{Text: "2\n3\n", First: 2, Last: 3, Total: 4}},
		"a range beyond the end":    {"1\n", 5, 2, 100, file.Page{First: 5, Last: 4, Total: 1}},
		"what fits of many lines":   {"11\n22\n33\n", 0, 0, 7, file.Page{Text: "11\n22\n", First: 1, Last: 2, Total: 3, Left: 3}},
		"a line that is too long":   {long + "\n2\n", 0, 0, 10, file.Page{Text: long[:10], First: 1, Last: 1, Total: 2, Left: 93, Long: true}},
		"a character is not cut":    {"ääää", 0, 0, 5, file.Page{Text: "ää", First: 1, Last: 1, Total: 1, Left: 4, Long: true}},
		"bytes that are not UTF-8":  {"a\xffb cd efg hij\n", 0, 0, 100, file.Page{Text: "a\ufffdb cd efg hij\n", First: 1, Last: 1, Total: 1, Invalid: true}},
		"a long line before others": {"1\n" + long, 0, 0, 50, file.Page{Text: "1\n", First: 1, Last: 1, Total: 2, Left: 100}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"f": tt.content})
			got, err := file.Read(filepath.Join(dir, "f"), tt.first, tt.count, tt.budget, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if want, _, err := file.Hash(filepath.Join(dir, "f"), 1000); err != nil || got.Hash != want {
				t.Errorf("hash = %s, want %s (%v)", got.Hash, want, err)
			}
			got.Hash = ""
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHashIsOfRegularFilesWithinBounds(t *testing.T) {
	dir := folder(t, map[string]string{"f": "abc", "big": strings.Repeat("x", 2000)})
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if hash, size, err := file.Hash(filepath.Join(dir, "f"), 3); hash != abc || size != 3 || err != nil {
		t.Errorf("hash of abc = %s, %d, %v", hash, size, err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "none"), filepath.Join(dir, "big"), os.DevNull} {
		if _, _, err := file.Hash(path, 1000); err == nil {
			t.Errorf("%s has a hash", path)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	dir := folder(t, map[string]string{"bin": "\x7fELF\x00", "big": strings.Repeat("x", 2000), "d/f": ""})
	for name, want := range map[string]string{
		"none": "does not exist", "d": "is a folder; use list_files", "bin": "is not text", "big": "more than the limit file-read",
	} {
		if _, err := file.Read(filepath.Join(dir, name), 0, 0, 100, 1000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: err = %v, want %q", name, err, want)
		}
	}
	if _, err := file.Read(os.DevNull, 0, 0, 100, 1000); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a device: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("a\nb€\n"), 1, 0, 20)
	f.Fuzz(func(t *testing.T, content []byte, first, count, budget int) {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		budget &= 0xfff
		page, err := file.Read(path, first, count, budget, 1<<20)
		if err == nil && (len(page.Text) > budget || !utf8.ValidString(page.Text)) {
			t.Errorf("%d bytes of %d: %q", len(page.Text), budget, page.Text)
		}
	})
}
