package longrein

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRecordsSurviveTheLog(t *testing.T) {
	bodies := []Body{
		Thread{ID: "t", Cwd: "/src", Version: "1", Format: 1, Model: "m", Base: "b"},
		Settings{Provider: "p", Model: "m", Wire: WireChat, Dialect: Dialect{Omit: []string{"store"}}, Tools: []ToolSpec{{Name: "a", Schema: []byte(`{"type":"object"}`)}}},
		Turn{N: 1, State: TurnFailed, Error: &TurnError{Kind: ErrAuth, Text: "no"}},
		Input{Text: "go <on> & \u2028", Mode: InputSteer},
		Appended{Entry: Entry{Step: 3, Item: ToolCall{ID: "c", Name: "n", Args: `{"a":"<"}`}}},
		Appended{Entry: Entry{Item: Message{Role: RoleUser, Text: "hi"}}, Input: 3},
		Appended{Entry: Entry{Step: 3, Item: Reasoning{Text: "hm", Wire: WireMessages, Model: "m", Raw: []byte(`{"type":"thinking","signature":"x"}`)}}},
		Appended{Entry: Entry{Step: 3, Item: Reasoning{}}},
		Appended{Entry: Entry{Step: 3, Item: Opaque{Wire: WireResponses, Model: "m", Raw: []byte(`{"type":"compaction"}`)}}},
		Appended{Entry: Entry{Step: 3, Item: ToolOutput{CallID: "c", Text: "out", Status: OutputOK, Full: &Blob{ID: "ab", Bytes: 9}, Files: []FileTouch{{Path: "a", Op: FileRead, Hash: "aa"}}, Exit: new(int)}}},
		Appended{Entry: Entry{Item: Fragment{Tag: TagInterrupted, Role: RoleUser, Text: "x"}}},
		ToolRun{CallID: "c", State: ToolFinished, Output: &ToolOutput{CallID: "c", Text: "x", Status: OutputFailed}},
		Asked{Turn: 1, Window: 2, Model: "m", Hash: "aa", Bytes: 1, Tokens: 2, Cached: 3},
		Answered{Step: 3, Usage: Usage{Input: 4, Cached: 3, Reported: true}, Cost: 0.5, Stop: StopTools, FirstMillis: 1, Millis: 2},
		Window{N: 2, Why: "full", Head: []Entry{{Seq: 3, Item: Message{Role: RoleUser, Text: "hi"}}}, Pins: []Pinned{{Seq: 4, Item: Message{Role: RoleUser, Text: "hi"}}}, Kept: json.RawMessage(`{"a":1}`), Beside: Totals{Requests: 1}, Fresh: 1, Scale: 1.25, Snapped: true, Ended: TurnFailed, Forks: map[ForkRole]int{RoleDecider: 2}, Pending: []Waiting{{Seq: 4, Input: Input{Text: "x", Mode: InputSubmit}}}},
		LimitHit{Name: "n", Value: 1, Unit: "bytes", What: "w", Cut: 2, CutUnit: "tokens", Where: "x"},
		Approval{CallID: "c", Tool: "t", Action: "a", Reason: "r", State: ApprovalAsked},
		Warning{Text: "w"},
		Renamed{Name: "n"},
		Fork{Role: RoleDecider, N: 2, Window: 1, State: ForkFailed, From: 7, At: 3, Head: []Entry{{Seq: 4, Item: Message{Role: RoleUser, Text: "hi"}}}, Why: "w", Kind: ErrTooLong, Requests: 1, Usage: Usage{Input: 4}, Cost: 0.5, Millis: 9},
		Beside{Fork: "decider-2", Body: Appended{Entry: Entry{Step: 9, Item: Message{Role: RoleAssistant, Text: "RESET"}}}},
		Notes{Version: 1, By: "summarizer-1", Window: 1, Boundary: 7, At: 3, Changed: []Document{{Name: MainDocument, Text: "a\n\nb", Sources: []Source{{Paragraph: "0123456789ab", Seqs: []int64{4}}}}, {Name: "old.md", Deleted: true}}},
		Verdict{Fork: "decider-2", Window: 1, Reset: true, Reason: "r", Ignored: "i"},
		Reset{Window: 1, Phase: ResetProbed, Why: "w", By: "decider-2", Price: 0.1, Saving: 0.01, BreakEven: 10, Before: 9, After: 4, Carried: 2, Left: 3, Probes: 3, Passed: 2, Repaired: []string{"x"}, Questions: []Question{{Ask: "a", Want: "w", Got: "g", OK: true}}},
		Pinned{Seq: 4, Item: Message{Role: RoleUser, Text: "hi"}},
		Pinned{Seq: 4, Off: true},
		Compaction{Window: 1, Fork: "compactor-1", Status: CompactionCompleted, Reason: CompactionLimit, Phase: CompactionMidTurn, By: CompactedByModel, Before: 9, Unseen: 1, Summary: "s", Boundary: 7, Error: "e"},
		Imported{Tool: "codex", Version: "1", File: "a.jsonl", Hash: "aa", N: 1, Session: "s", Parent: "p", Agent: "a", Provider: "openai", Lines: 3, Unread: 1, Passed: 1, Last: 9},
		ImportedLine{Line: 2, Kind: "cut", Lost: true, Part: 1, Text: "{\"a\":"},
		ImportedLine{Line: 3, Kind: "no text", Bytes: []byte{0xff, 0}},
		Rollback{To: 4, Turns: 2, Redo: true},
		Snapshot{When: SnapshotBefore, Turn: 1, Root: "/r", Tree: "ab", Files: 3, Why: "w"},
		Undone{Turn: 1, From: "ab", To: "cd", Root: "/r", Redo: true, Changed: []FileChange{{Path: "a", Op: FileModified}}, Lasting: []string{"git push"}},
	}
	seen := map[string]bool{}
	for _, want := range bodies {
		seen[want.recordType()] = true
		line, err := MarshalBody(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := UnmarshalBody(want.recordType(), line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s comes back changed:\n%s", want.recordType(), diff)
		}
		again, err := MarshalBody(got)
		if err != nil || string(again) != string(line) {
			t.Errorf("%s is encoded anew as other bytes:\n%s\n%s", want.recordType(), line, again)
		}
	}
	for name := range decoders {
		if !seen[name] {
			t.Errorf("the type %s is not tested", name)
		}
	}
}

func TestNothingCostsLessThanNothing(t *testing.T) {
	p := Price{Input: 10, Cached: 1}
	if got, want := p.Cost(Usage{Input: 1e6, Cached: 3e6}), 3.0; got != want {
		t.Errorf("more cached than there was costs %v, want %v", got, want)
	}
}

func TestARecordOfANewerVersionIsKept(t *testing.T) {
	got, err := UnmarshalBody("of-tomorrow", []byte(`{"a": [1, 2]}`))
	if err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(got)
	if err != nil || string(line) != `{"a":[1,2]}` {
		t.Errorf("%s, %v: want its content kept", line, err)
	}
}

func TestAnItemOfAnUnknownKindIsNamed(t *testing.T) {
	if _, err := UnmarshalBody("item", []byte(`{"item":{"kind":"smell"}}`)); err == nil {
		t.Error("an unknown kind of item was taken")
	}
	if _, err := MarshalBody(Appended{}); err == nil {
		t.Error("an entry without an item was encoded")
	}
}

func TestEvents(t *testing.T) {
	e := EventOf("t", Record{Seq: 7, Time: time.UnixMilli(1_800_000_000_123), Body: Turn{N: 1, State: TurnEnded}})
	line, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"turn.completed","thread":"t","seq":7,"time":"2027-01-15T08:00:00.123Z","payload":{"n":1,"state":"ended"}}`
	if string(line) != want {
		t.Errorf("got  %s\nwant %s", line, want)
	}
}

func TestCost(t *testing.T) {
	p := Price{Input: 3, Cached: 0.3, CacheWrite: 3.75, Output: 15}
	u := Usage{Input: 1_000_000, Cached: 600_000, CacheWrite: 100_000, Output: 10_000}
	if got, want := p.Cost(u), 0.9+0.18+0.375+0.15; got < want-1e-9 || got > want+1e-9 {
		t.Errorf("cost %f, want %f", got, want)
	}
}
