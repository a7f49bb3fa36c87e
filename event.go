package longrein

import (
	"encoding/json"
	"time"
)

// Event is a record, or something passing that is not logged, on its way to a
// screen or a program. Seq is the record's number, 0 for what passes.
type Event struct {
	Type    EventType
	Thread  string
	Seq     int64
	Time    time.Time
	Payload any // a [Body], a [Delta] or a [Retrying]
}

// EventType is an event's name; programs rely on these.
type EventType string

// The events there are.
const (
	EventThreadStarted     EventType = "thread.started"
	EventTurnStarted       EventType = "turn.started"
	EventItemStarted       EventType = "item.started"
	EventItemUpdated       EventType = "item.updated"
	EventItemCompleted     EventType = "item.completed"
	EventRequest           EventType = "request"
	EventUsage             EventType = "usage"
	EventWindowStarted     EventType = "window.started"
	EventLimitHit          EventType = "limit.hit"
	EventWarning           EventType = "warning"
	EventApprovalRequested EventType = "approval.requested"
	EventApprovalDecided   EventType = "approval.decided"
	EventTurnCompleted     EventType = "turn.completed"
	EventTurnFailed        EventType = "turn.failed"
	EventForkStarted       EventType = "fork.started"
	EventForkUpdated       EventType = "fork.updated"
	EventForkCompleted     EventType = "fork.completed"
	EventVerdict           EventType = "verdict"
	EventNotes             EventType = "notes"
	EventReset             EventType = "reset"
	EventRecord            EventType = "record" // any other record
)

// EventOf returns the event that announces r.
func EventOf(thread string, r Record) Event {
	return Event{Type: eventType(r.Body), Thread: thread, Seq: r.Seq, Time: r.Time, Payload: r.Body}
}

func eventType(b Body) EventType {
	switch b := b.(type) {
	case Thread:
		return EventThreadStarted
	case Turn:
		switch b.State {
		case TurnStarted:
			return EventTurnStarted
		case TurnEnded:
			return EventTurnCompleted
		}
		return EventTurnFailed
	case Appended:
		return EventItemCompleted
	case ToolRun:
		if b.State == ToolStarted {
			return EventItemStarted
		}
	case Asked:
		return EventRequest
	case Answered:
		return EventUsage
	case Window:
		return EventWindowStarted
	case LimitHit:
		return EventLimitHit
	case Warning:
		return EventWarning
	case Approval:
		if b.State == ApprovalAsked {
			return EventApprovalRequested
		}
		return EventApprovalDecided
	case Fork:
		if b.State == ForkStarted {
			return EventForkStarted
		}
		return EventForkCompleted
	case Beside:
		return EventForkUpdated
	case Verdict:
		return EventVerdict
	case Notes:
		return EventNotes
	case Reset:
		return EventReset
	}
	return EventRecord
}

// MarshalJSON writes one line of `exec --json`: type, thread, seq, time, payload.
func (e Event) MarshalJSON() ([]byte, error) {
	payload, err := marshal(e.Payload)
	if err != nil {
		return nil, err
	}
	return marshal(struct {
		Type    EventType       `json:"type"`
		Thread  string          `json:"thread"`
		Seq     int64           `json:"seq,omitempty"`
		Time    string          `json:"time"`
		Payload json.RawMessage `json:"payload"`
	}{e.Type, e.Thread, e.Seq, e.Time.UTC().Format(TimeFormat), payload})
}

// TimeFormat is how times are written in logs and events: UTC, milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z"
