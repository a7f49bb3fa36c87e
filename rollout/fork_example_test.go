package rollout_test

import (
	"fmt"
	"log"
	"os"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
)

// A fork begins with its parent's records and goes on without it.
func ExampleStore_Fork() {
	root, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	store := &rollout.Store{Root: root}
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

	parent := uuid.Must(uuid.NewV7()).String()
	l, err := store.Create(parent)
	if err != nil {
		log.Fatal(err)
	}
	l.Append(now, true, longrein.Thread{ID: parent, Format: longrein.LogFormat},
		longrein.Renamed{Name: "one way"}, longrein.Renamed{Name: "further on that way"})
	l.Close()

	fork := longrein.Thread{ID: uuid.Must(uuid.NewV7()).String(), Format: longrein.LogFormat}
	l, _, err = store.Fork(parent, 2, now, fork)
	if err != nil {
		log.Fatal(err)
	}
	l.Append(now, true, longrein.Renamed{Name: "another way"})
	l.Close()
	store.Remove(parent)

	for r, err := range store.Read(fork.ID) {
		if err != nil {
			log.Fatal(err)
		}
		if name, ok := r.Body.(longrein.Renamed); ok {
			fmt.Println(r.Seq, name.Name)
		}
	}
	// Output:
	// 2 one way
	// 4 another way
}
