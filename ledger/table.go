package ledger

import "encoding/json"

// keyed is something that a table finds by its key.
type keyed interface{ key() string }

// table holds rows in the order of their last change, the oldest first. All its
// operations take constant time on average.
type table[T keyed] struct {
	rows []row[T]
	at   map[string]int
	head int // rows before it are gone
}

type row[T keyed] struct {
	item T
	live bool
}

// Len returns how many rows there are.
func (t *table[T]) Len() int { return len(t.at) }

// IsZero reports whether there are none, so that JSON leaves the table away.
func (t table[T]) IsZero() bool { return len(t.at) == 0 }

// get returns the row with that key, nil if there is none. It may be changed, but
// for its key, until the next put.
func (t *table[T]) get(key string) *T {
	i, ok := t.at[key]
	if !ok {
		return nil
	}
	return &t.rows[i].item
}

// put makes item the newest row, in place of the one with its key.
func (t *table[T]) put(item T) {
	key := item.key()
	t.drop(key)
	if t.at == nil {
		t.at = map[string]int{}
	}
	t.at[key] = len(t.rows)
	t.rows = append(t.rows, row[T]{item, true})
}

// take removes the row with that key and returns it.
func (t *table[T]) take(key string) (item T, ok bool) {
	if p := t.get(key); p != nil {
		item, ok = *p, true
		t.drop(key)
	}
	return item, ok
}

func (t *table[T]) drop(key string) {
	i, ok := t.at[key]
	if !ok {
		return
	}
	delete(t.at, key)
	t.rows[i] = row[T]{}
	if len(t.rows) > 2*len(t.at)+16 {
		t.pack()
	}
}

// oldest returns the oldest row; there must be one.
func (t *table[T]) oldest() T {
	for !t.rows[t.head].live {
		t.head++
	}
	return t.rows[t.head].item
}

// pack forgets the places of rows that are gone.
func (t *table[T]) pack() {
	items := t.items()
	t.rows, t.head = t.rows[:0], 0
	for i, item := range items {
		t.at[item.key()] = i
		t.rows = append(t.rows, row[T]{item, true})
	}
}

// items returns the rows, the oldest first.
func (t *table[T]) items() []T {
	items := make([]T, 0, len(t.at))
	for _, r := range t.rows {
		if r.live {
			items = append(items, r.item)
		}
	}
	return items
}

// newest returns the rows, the newest first.
func (t *table[T]) newest() []T {
	items := t.items()
	for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
		items[i], items[j] = items[j], items[i]
	}
	return items
}

// MarshalJSON writes the rows as a list.
func (t table[T]) MarshalJSON() ([]byte, error) { return encode(t.items()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *table[T]) UnmarshalJSON(b []byte) error {
	var items []T
	err := json.Unmarshal(b, &items)
	*t = table[T]{}
	for _, item := range items {
		t.put(item)
	}
	return err
}
