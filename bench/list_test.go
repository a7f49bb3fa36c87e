package bench

import (
	"os/exec"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/rollout"
)

// BenchmarkList lists 10,000 threads, as a whole process: start, open the index,
// look whether it is fresh, and print.
func BenchmarkList(b *testing.B) {
	bin, home := program(b), b.TempDir()
	store := &rollout.Store{Root: home}
	for range 10_000 {
		id := uuid.Must(uuid.NewV7()).String()
		log, err := store.Create(id)
		if err != nil {
			b.Fatal(err)
		}
		_, err = log.Append(time.Now(), false,
			longrein.Thread{ID: id, Cwd: "/src", Format: longrein.LogFormat, Model: "m"},
			longrein.Input{Text: "a task for " + id, Mode: longrein.InputSubmit},
			longrein.Turn{N: 1, State: longrein.TurnStarted}, longrein.Turn{N: 1, State: longrein.TurnEnded})
		if err != nil {
			b.Fatal(err)
		}
		if err := log.Close(); err != nil {
			b.Fatal(err)
		}
	}
	list := func() {
		if out, err := exec.Command(bin, "--home", home, "threads", "-n", "0").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	list() // fills the index
	for b.Loop() {
		list()
	}
}
