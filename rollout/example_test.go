package rollout_test

import (
	"fmt"
	"log"
	"os"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
)

// A thread is begun, left, and taken up again from its last window.
func Example() {
	root, err := os.MkdirTemp("", "longrein")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	store := &rollout.Store{Root: root}
	const id = "019ad0c2-7a3b-7c11-9d52-0f6d2c3b4a59"
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

	l, err := store.Create(id)
	if err != nil {
		log.Fatal(err)
	}
	_, err = l.Append(now, true,
		longrein.Thread{ID: id, Format: longrein.LogFormat},
		longrein.Window{N: 1, Why: "start"},
		longrein.Input{Text: "mend the test", Mode: longrein.InputSubmit},
	)
	if err != nil {
		log.Fatal(err)
	}
	if err := l.Close(); err != nil {
		log.Fatal(err)
	}

	found, err := store.Find("019ad0c2")
	if err != nil {
		log.Fatal(err)
	}
	l, tail, err := store.Open(found)
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	for _, r := range tail.Records {
		fmt.Println(r.Seq, r.Type())
	}
	// Output:
	// 2 window
	// 3 input
}
