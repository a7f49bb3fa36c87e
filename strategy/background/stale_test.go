package background

import (
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// calls appends a call and its output of 1,000 bytes, all of one step.
func (d *desk) calls(name, args string, status longrein.OutputStatus, files ...longrein.FileTouch) {
	id := name + args + strings.Repeat("'", len(d.entries))
	d.add(longrein.ToolCall{ID: id, Name: name, Args: args},
		longrein.ToolOutput{CallID: id, Text: strings.Repeat("x", 1_000), Status: status, Files: files})
}

// What rules know to be of no more use: reads that were repeated or whose file was
// changed since, failures that succeeded later, and outputs of older steps.
func TestTheRulesKnowWhatIsNoLongerNeeded(t *testing.T) {
	read := longrein.FileTouch{Path: "a.go", Op: longrein.FileRead}
	changed := longrein.FileTouch{Path: "a.go", Op: longrein.FileChanged}
	for name, tt := range map[string]struct {
		inUse int64 // steps
		work  func(*desk)
		want  int // outputs
	}{
		"a file was read once": {1_000, func(d *desk) {
			d.calls("read_file", "a", longrein.OutputOK, read)
		}, 0},
		"it was read again": {1_000, func(d *desk) {
			d.calls("read_file", "a", longrein.OutputOK, read)
			d.calls("read_file", "a", longrein.OutputOK, read)
		}, 1},
		"it was changed after it was read": {1_000, func(d *desk) {
			d.calls("read_file", "a", longrein.OutputOK, read)
			d.calls("apply_patch", "p", longrein.OutputOK, changed)
		}, 1},
		"it was read after it was changed": {1_000, func(d *desk) {
			d.calls("apply_patch", "p", longrein.OutputOK, changed)
			d.calls("read_file", "a", longrein.OutputOK, read)
		}, 0},
		"a command failed and succeeded later": {1_000, func(d *desk) {
			d.calls("exec_command", "make", longrein.OutputFailed)
			d.calls("exec_command", "make", longrein.OutputOK)
		}, 1},
		"of five steps two are in use": {2, func(d *desk) {
			for _, a := range []string{"1", "2", "3", "4", "5"} {
				d.calls("read_file", a, longrein.OutputOK)
			}
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			d := sat(t, Options{Limits: limit.Set{"steps-in-use": tt.inUse}}, 1_000)
			tt.work(d)
			if got := d.s.stale(d.view(d.tokens())).tokens; got != tt.want*1_000 {
				t.Errorf("%d tokens are no longer needed, want %d", got, tt.want*1_000)
			}
		})
	}
}

// The thrifty policy wakes nobody while the rules find little that is no longer
// needed, unless it is told to ask all the same.
func TestADeciderIsAskedWhereMuchIsStale(t *testing.T) {
	for name, tt := range map[string]struct {
		o     Options
		inUse int64
		want  string
	}{
		"much is stale":             {Options{}, 6, "summarizer-1 decider-1"},
		"little is":                 {Options{}, 15, ""},
		"little is, but always ask": {Options{AlwaysDecide: true}, 15, "summarizer-1 decider-1"},
		"little is, fixed":          {Options{Fixed: true}, 15, "summarizer-1 decider-1"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.o.Limits = limit.Set{"steps-in-use": tt.inUse, "memory-budget": 0}
			d := sat(t, tt.o, 1_000)
			for range 20 {
				d.reads(1_000)
			}
			d.wantStarted(d.tokens(), tt.want)
		})
	}
}

// Nor does it before the window has grown so far that it may be reset.
func TestNobodyIsAskedWhereNoResetMayCome(t *testing.T) {
	d := sat(t, Options{Limits: limit.Set{"memory-budget": 0, "steps-in-use": 1}}, 1_000)
	for range 12 {
		d.reads(1_000)
	}
	d.wantStarted(1_000+12_799, "")
	d.wantStarted(1_000+12_800, "summarizer-1 decider-1")
}
