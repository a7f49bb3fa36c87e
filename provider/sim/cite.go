package sim

import (
	"slices"
	"strings"
)

// cite names the record that a note on the item with number i rests on: the
// newest line of the index that says what this item is, or the newest of all.
func (b *beside) cite(i int) string {
	index := b.fork.index
	if len(index) == 0 {
		return ""
	}
	labels := b.labels(i)
	for _, r := range slices.Backward(index) {
		same := func(label string) bool { return r.what != "" && strings.HasPrefix(label, r.what) }
		if slices.ContainsFunc(labels, same) {
			return " [#" + r.number + "]"
		}
	}
	return " [#" + index[len(index)-1].number + "]"
}

// labels are the ways in which an index can begin to say what an item is: by who
// said it, or by a tool and one of its arguments.
func (b *beside) labels(i int) []string {
	if i >= len(b.items) {
		return nil
	}
	it := b.items[i]
	if it.kind == itemSaid {
		return []string{it.role + ": " + oneLine(it.text())}
	}
	if it.kind == itemAnswered {
		called := func(c item) bool { return c.kind == itemCalled && c.id == it.id }
		if at := slices.IndexFunc(b.items, called); at >= 0 {
			it = b.items[at]
		}
	}
	labels := []string{it.name + " " + oneLine(it.text())}
	members([]byte(it.text()), func(_ string, v []byte) { labels = append(labels, it.name+" "+oneLine(str(v))) })
	return labels
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
