package longrein

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Item is one thing the model can see. The set is closed: [Message],
// [Reasoning], [ToolCall], [ToolOutput], [Fragment] and [Opaque].
type Item interface{ kind() string }

// Role says on whose authority an item speaks.
type Role string

// The roles, from most to least authority over the model.
const (
	RoleDeveloper Role = "developer"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Message is what a user or the model said, verbatim.
type Message struct {
	Role Role   `json:"role"`
	Text string `json:"text"`
}

// Reasoning is a model's thinking as its provider returned it. Text is what a
// person may read and can be empty. Raw is the provider's own object, byte for
// byte; it is sent back to the same wire and model and to no other.
type Reasoning struct {
	Text  string          `json:"text,omitempty"`
	Wire  Wire            `json:"wire,omitempty"`
	Model string          `json:"model,omitempty"`
	Raw   json.RawMessage `json:"raw,omitempty"`
}

// ToolCall is the model's wish to run a tool. ID is unique within its window
// and never empty; Args is the JSON text the model wrote, which may be invalid.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args string `json:"args"`
}

// ToolOutput answers the call with the same id. Text is what the model sees and
// is never empty; Full names the whole output when Text is only a part of it.
type ToolOutput struct {
	CallID string       `json:"call_id"`
	Text   string       `json:"text"`
	Status OutputStatus `json:"status"`
	Full   *Blob        `json:"full,omitempty"`
	// What the tool knows for certain and the model is not sent: the files it
	// touched, and the exit status of a command that came to an end.
	Files []FileTouch `json:"files,omitempty"`
	Exit  *int        `json:"exit,omitempty"`
}

// FileTouch is a file that a tool call read or changed.
type FileTouch struct {
	Path string `json:"path"` // as the call named it, cleaned; relative to the thread's folder where it is below that
	Op   FileOp `json:"op"`
	Hash string `json:"hash,omitempty"` // SHA-256 of the whole content afterwards, in hexadecimal, where known
}

// FileOp is what was done to a file.
type FileOp string

// What can be done to a file.
const (
	FileRead    FileOp = "read"
	FileChanged FileOp = "changed"
	FileDeleted FileOp = "deleted"
)

// OutputStatus says how a tool call ended.
type OutputStatus string

// How a tool call can end. Unknown means that the process died while the call
// ran: it may have had its effect, in whole or in part.
const (
	OutputOK          OutputStatus = "ok"
	OutputFailed      OutputStatus = "failed"
	OutputRefused     OutputStatus = "refused"
	OutputInterrupted OutputStatus = "interrupted"
	OutputUnknown     OutputStatus = "unknown"
)

// Blob names content that is stored once, by its SHA-256, beside the logs.
type Blob struct {
	ID    string `json:"id"`    // 64 hexadecimal digits
	Bytes int64  `json:"bytes"` // size of the content before compression
}

// Opaque is a provider's own object that stands for older items, byte for byte. It
// is sent back to the same wire and model; any other is told that it cannot be read
// there.
type Opaque struct {
	Wire  Wire            `json:"wire"`
	Model string          `json:"model"`
	Raw   json.RawMessage `json:"raw"`
}

func (Message) kind() string    { return "message" }
func (Reasoning) kind() string  { return "reasoning" }
func (ToolCall) kind() string   { return "tool_call" }
func (ToolOutput) kind() string { return "tool_output" }
func (Fragment) kind() string   { return "fragment" }
func (Opaque) kind() string     { return "opaque" }

// Kind returns the item's name in the log: "message", "reasoning",
// "tool_call", "tool_output", "fragment" or "opaque".
func Kind(it Item) string { return it.kind() }

// FromModel reports whether the model made the item; the other items were put
// in by the user, a tool or the harness.
func FromModel(it Item) bool {
	switch it := it.(type) {
	case Message:
		return it.Role == RoleAssistant
	case Reasoning, ToolCall:
		return true
	}
	return false
}

// Entry is an item in its place: Step is the sequence number of the request
// that it answers or belongs to, 0 for what came from outside a step. Items of
// one step that the model made form one response. Seq is the record in which the
// item first appeared, also in later windows' heads; 0 for what a head made.
type Entry struct {
	Seq  int64 `json:"seq,omitempty"`
	Step int64 `json:"step,omitempty"`
	Item Item  `json:"item"`
}

// MarshalJSON writes the item with its kind, {"step":1,"item":{"kind":"message",…}}.
func (e Entry) MarshalJSON() ([]byte, error) {
	item, err := marshalItem(e.Item)
	if err != nil {
		return nil, err
	}
	return marshal(rawEntry{e.Seq, e.Step, item})
}

// rawEntry is an entry whose item is not decoded yet.
type rawEntry struct {
	Seq  int64           `json:"seq,omitempty"`
	Step int64           `json:"step,omitempty"`
	Item json.RawMessage `json:"item"`
}

func (r rawEntry) entry() (Entry, error) {
	item, err := unmarshalItem(r.Item)
	return Entry{Seq: r.Seq, Step: r.Step, Item: item}, err
}

// UnmarshalJSON reads what MarshalJSON wrote. An item of a kind that this
// program does not know is an error that names the kind.
func (e *Entry) UnmarshalJSON(b []byte) error {
	var raw rawEntry
	err := json.Unmarshal(b, &raw)
	if err != nil {
		return err
	}
	*e, err = raw.entry()
	return err
}

func marshalItem(it Item) ([]byte, error) {
	if it == nil {
		return nil, fmt.Errorf("encode item: there is none")
	}
	body, err := marshal(it)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", it.kind(), err)
	}
	out := append([]byte(`{"kind":"`), it.kind()...)
	out = append(out, '"')
	if len(body) > len("{}") {
		out = append(out, ',')
	}
	return append(out, body[1:]...), nil
}

func unmarshalItem(b []byte) (Item, error) {
	kind, err := kindOf(b)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "message":
		return decodeItem[Message](b)
	case "reasoning":
		return decodeItem[Reasoning](b)
	case "tool_call":
		return decodeItem[ToolCall](b)
	case "tool_output":
		return decodeItem[ToolOutput](b)
	case "fragment":
		return decodeItem[Fragment](b)
	case "opaque":
		return decodeItem[Opaque](b)
	}
	return nil, fmt.Errorf("decode item: unknown kind %q", kind)
}

// kindOf reads an item's kind, which marshalItem puts first.
func kindOf(b []byte) (string, error) {
	if rest, ok := bytes.CutPrefix(b, []byte(`{"kind":"`)); ok {
		kind, _, ok := bytes.Cut(rest, []byte{'"'})
		if ok {
			return string(kind), nil
		}
	}
	var head struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return "", fmt.Errorf("decode item: %w", err)
	}
	return head.Kind, nil
}

func decodeItem[T Item](b []byte) (Item, error) {
	var it T
	if err := json.Unmarshal(b, &it); err != nil {
		return nil, fmt.Errorf("decode %s: %w", it.kind(), err)
	}
	return it, nil
}
