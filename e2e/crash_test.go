//go:build unix

package e2e_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/longrein/longrein"
)

// perThread is how many kills one thread has to live through at most.
const perThread = 20

// small is a window of which a task takes several.
const small = 16_000

// records is how many of a log's records kills are spread over: five a step, and
// some less than the task has.
const records = 950

// TestCrash kills the program with SIGKILL at random moments of a task of 200
// steps, and resumes it until the task is done. Whenever it dies, nothing that
// was acknowledged is lost, nothing that had finished is done again, at most one
// step is asked again, memory beside the work is whole or not there, and it ends
// with the answer of an undisturbed run.
func TestCrash(t *testing.T) {
	binary(t)
	from := *seed
	if from == 0 {
		from = rand.Uint64N(1_000_000)
	}
	for _, wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			t.Parallel()
			want := undisturbed(t, options{wire: wire, model: "sim:read200"})
			for n, left := 1, *kills; left > 0; n, left = n+1, left-perThread {
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					v := newVictim(t, wire, n, min(left, perThread), from)
					v.live()
					v.check(want)
				})
			}
		})
	}
}

// undisturbed returns the answer of a task that nothing happens to.
func undisturbed(t *testing.T, o options) string {
	t.Helper()
	p := newPlace(t, o)
	p.exec().succeed()
	return p.answer()
}

// victim is a place whose program is killed.
type victim struct {
	*place
	moments []moment
	kept    []byte         // the log's whole lines after the last kill
	ends    []int64        // the last record's number after each process
	after   map[string]int // processes by the type of that record
	torn    int            // half lines that were left
	undone  int            // threads that had not even taken the task
}

// newVictim makes the nth on a wire. Every second one, from the first, has a
// window so small that forks run and new windows begin on the way.
func newVictim(t *testing.T, wire longrein.Wire, n, deaths int, seed uint64) *victim {
	// Responses that take as long as commands are hit as often.
	o := options{wire: wire, model: "sim:read200", serve: []string{"--latency", "4ms", "--write-rate", "10000"}}
	if n%2 == 1 {
		o.window = small
	}
	h := fnv.New64a()
	fmt.Fprint(h, wire, n)
	rng := rand.New(rand.NewPCG(seed, h.Sum64()))
	v := &victim{after: map[string]int{}, place: newPlace(t, o), moments: moments(rng, deaths, o.window == small)}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("repeat it with -run 'TestCrash/%s/%d$' -seed=%d -kills=%d; killed at %v", wire, n, seed, *kills, v.moments)
		}
	})
	return v
}

// moment is when a process is killed: so long after it announced so many records.
type moment struct {
	records int
	fork    bool // and after the next fork began
	pause   time.Duration
	torn    bool // the disk kept half of a line that was being written
}

func (m moment) String() string {
	return fmt.Sprintf("%d records + fork=%t + %v torn=%t", m.records, m.fork, m.pause, m.torn)
}

// moments spreads kills over a task, some of them in the first breath of a
// process and, if there are any, some while forks run.
func moments(rng *rand.Rand, kills int, forks bool) []moment {
	at := make([]int, kills)
	for i := range at {
		at[i] = rng.IntN(records)
	}
	slices.Sort(at)
	all, before := make([]moment, kills), 0
	for i := range all {
		all[i] = moment{
			records: at[i] - before, fork: forks && rng.IntN(3) == 0,
			pause: time.Duration(rng.IntN(15_000)) * time.Microsecond, torn: rng.IntN(4) == 0,
		}
		if rng.IntN(8) == 0 {
			all[i].records, all[i].fork, all[i].pause = 0, false, time.Duration(rng.IntN(80_000))*time.Microsecond
		}
		if all[i].fork {
			all[i].pause *= 2 // it waits for the worker's answer before it asks
		}
		before = at[i]
	}
	return all
}

// live plays the task through all kills.
func (v *victim) live() {
	v.t.Helper()
	r := v.exec()
	for i, m := range v.moments {
		if !r.reach(m) {
			v.moments = v.moments[:i] // the end is too near
			break
		}
		time.Sleep(m.pause)
		r.kill()
		v.compare(r)
		if m.torn {
			v.tear()
		}
		r = v.again()
	}
	r.succeed()
	v.compare(r)
}

// reach waits for the moment and reports whether it came well before the end:
// waiting for forks puts it off.
func (r *process) reach(m moment) bool {
	r.t.Helper()
	for range m.records {
		if !r.find(`"seq":`) {
			return false
		}
	}
	if m.fork && !r.find(`"type":"fork.started"`) {
		return false
	}
	last := int64(0)
	for seq := range r.recorded() {
		last = max(last, seq)
	}
	return last <= records
}

// tear leaves half a line behind, as a machine that loses its power does.
func (v *victim) tear() {
	v.t.Helper()
	file, ok := v.log()
	if !ok || len(v.kept) == 0 || file.Bytes != int64(len(v.kept)) {
		return // nothing is there, or half a line already
	}
	f, err := os.OpenFile(file.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		v.t.Fatal(err)
	}
	defer f.Close()
	line := v.kept[bytes.LastIndexByte(v.kept[:len(v.kept)-1], '\n')+1:]
	if _, err := f.Write(line[:len(line)/2]); err != nil {
		v.t.Fatal(err)
	}
	v.torn++
}

// compare checks that the log still begins as it did before, and holds every
// record that the process had told of, as it was told.
func (v *victim) compare(r *process) {
	v.t.Helper()
	told := r.recorded()
	file, ok := v.log()
	if !ok {
		if len(told) > 0 {
			v.t.Errorf("%d records were announced and there is no log", len(told))
		}
		return
	}
	now, err := os.ReadFile(file.Path)
	if err != nil {
		v.t.Fatal(err)
	}
	if !bytes.HasPrefix(now, v.kept) {
		v.t.Error("the log does not begin with the lines that it had before")
	}
	v.kept = now[:bytes.LastIndexByte(now, '\n')+1]
	s := v.story()
	for _, rec := range s.records {
		if line, ok := told[rec.Seq]; ok {
			if d := cmp.Diff(line, announced(v.t, s.id, rec)); d != "" {
				v.t.Errorf("record %d (-announced +is):\n%.2000s", rec.Seq, d)
			}
		}
		delete(told, rec.Seq)
	}
	if len(told) > 0 {
		v.t.Errorf("announced and not in the log: %v", told)
	}
	v.ends = append(v.ends, int64(len(s.records)))
	if n := len(s.records); n > 0 {
		v.after[s.records[n-1].Type()]++
	}
	v.checkFolder(s)
}

// again goes on with the task or, when it was killed before the task was in the
// log, begins a new thread with it, as a user would have to.
func (v *victim) again() *process {
	v.t.Helper()
	if bytes.Contains(v.kept, []byte(`"type":"input"`)) {
		return v.resume()
	}
	v.kept, v.ends = nil, nil
	v.undone++
	return v.exec()
}

// check looks at the whole story after its end.
func (v *victim) check(want string) {
	v.t.Helper()
	const steps = 200
	s := v.story()
	if got := v.answer(); got != want {
		v.t.Errorf("the answer is %q, undisturbed it is %q", got, want)
	}
	if s.ended() != longrein.TurnEnded || len(s.calls) != steps || s.whole != steps+1 {
		v.t.Errorf("the turn is %s after %d calls and %d responses", s.ended(), len(s.calls), s.whole)
	}
	v.checkCalls(s)
	v.checkAsked(s)
	v.verify(s)
	v.checkNotes(s)
	got := v.sim.asked()
	if most := s.whole + len(v.moments); len(got) > most {
		v.t.Errorf("the model was asked %d times for %d responses, with %d kills", len(got), s.whole, len(v.moments))
	}
	v.checkAside()
	cached := checkCache(v.t, v.opts.wire, got, s.windows())
	windows := s.asked[len(s.asked)-1].Window
	if (v.opts.window == small) != (windows > 1) {
		v.t.Errorf("there were %d windows", windows)
	}
	v.t.Logf("%d kills, %d of them before the task was taken; %d requests for %d responses, %.1f%% of the prefix cached at least; "+
		"%d calls of unknown outcome; %d windows; forks: %v; the last records of processes: %v",
		len(v.moments), v.undone, len(got), s.whole, 100*cached, s.unknown(), windows, s.forkEnds(), v.after)
}

// checkAside checks that no half line is lost. One process that was killed while
// it moved one aside has left two copies.
func (v *victim) checkAside() {
	v.t.Helper()
	aside, err := filepath.Glob(filepath.Join(v.home, "threads", "*", "*", "*", "*.torn-*"))
	if err != nil || len(aside) < v.torn {
		v.t.Errorf("of %d half lines %v were moved aside (%v)", v.torn, aside, err)
	}
}

// checkAsked checks that no process left more than one request unanswered, and
// that only the killed ones did.
func (v *victim) checkAsked(s *story) {
	v.t.Helper()
	asked, life := 0, 0
	for _, r := range s.records {
		for r.Seq > v.ends[life] {
			asked, life = 0, life+1
		}
		switch r.Body.(type) {
		case longrein.Asked:
			asked++
		case longrein.Answered:
			asked--
		}
		if asked > 1 || asked < 0 {
			v.t.Errorf("record %d of process %d: %d requests are unanswered", r.Seq, life+1, asked)
		}
	}
	if asked != 0 {
		v.t.Errorf("the last process left %d requests unanswered", asked)
	}
}
