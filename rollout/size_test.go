package rollout

import (
	"encoding/base64"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/longrein/longrein"
)

// unique counts the bytes of content, each once.
type unique struct {
	seen  map[string]bool
	bytes int64
}

func (u *unique) add(text string) string {
	if !u.seen[text] {
		u.seen[text] = true
		u.bytes += int64(len(text))
	}
	return text
}

// TestALogTakesAtMost1Point3TimesItsUniqueContent plays a thread that reads few
// files again and again, sends the same images, has big outputs, and carries
// much of each of its 20 windows on into the next. Blobs count in full.
func TestALogTakesAtMost1Point3TimesItsUniqueContent(t *testing.T) {
	s := store(t)
	s.Disk = &faults{}
	l, _ := begin(t, s)
	r := rand.New(rand.NewPCG(3, 4))
	u := unique{seen: map[string]bool{}}
	files, images := pool(r, 30, 12_000), pictures(r, 3, 100_000)
	var window []longrein.Entry
	for n := range 20 {
		for range 60 {
			it := content(r, &u, files, images)
			window = append(window, longrein.Entry{Step: int64(n + 1), Item: it})
			if out, ok := it.(longrein.ToolOutput); ok {
				put(t, l, longrein.ToolRun{CallID: out.CallID, State: longrein.ToolFinished, Output: &out})
			}
			put(t, l, longrein.Appended{Entry: window[len(window)-1]})
		}
		window = window[len(window)/3:]
		put(t, l, longrein.Window{N: n + 1, Why: "full", Head: window, Settings: tools(&u)})
	}
	size := folderSize(t, s.Root)
	ratio := float64(size) / float64(u.bytes)
	t.Logf("%d bytes on disk for %d bytes of content: %.2f", size, u.bytes, ratio)
	if ratio > 1.3 {
		t.Errorf("the ratio is %.2f, want at most 1.3", ratio)
	}
}

// content is one item of a thread's work.
func content(r *rand.Rand, u *unique, files, images []string) longrein.Item {
	switch r.IntN(5) {
	case 0:
		return longrein.ToolOutput{CallID: prose(r, 8), Text: u.add(files[r.IntN(len(files))]), Status: longrein.OutputOK}
	case 1:
		return longrein.Message{Role: longrein.RoleUser, Text: u.add(images[r.IntN(len(images))])}
	case 2:
		return longrein.ToolOutput{CallID: prose(r, 8), Text: u.add(prose(r, 16_000)), Status: longrein.OutputOK}
	case 3:
		return longrein.ToolCall{ID: prose(r, 8), Name: "exec_command", Args: u.add(prose(r, 120))}
	}
	return longrein.Message{Role: longrein.RoleAssistant, Text: u.add(prose(r, 900))}
}

// pool returns texts of size bytes.
func pool(r *rand.Rand, n, size int) []string {
	var texts []string
	for range n {
		texts = append(texts, prose(r, size))
	}
	return texts
}

// pictures returns images as requests hold them.
func pictures(r *rand.Rand, n, size int) []string {
	var images []string
	for range n {
		raw := make([]byte, size)
		for i := range raw {
			raw[i] = byte(r.Uint32())
		}
		images = append(images, "data:image/png;base64,"+base64.StdEncoding.EncodeToString(raw))
	}
	return images
}

// tools is a window's settings, the same each time.
func tools(u *unique) longrein.Settings {
	r := rand.New(rand.NewPCG(5, 6))
	var specs []longrein.ToolSpec
	for range 7 {
		specs = append(specs, longrein.ToolSpec{Name: "tool", Description: u.add(prose(r, 600)), Schema: []byte(`{"type":"object"}`)})
	}
	return longrein.Settings{Model: "m", Tools: specs}
}

func folderSize(tb testing.TB, root string) (size int64) {
	tb.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		size += info.Size()
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return size
}
