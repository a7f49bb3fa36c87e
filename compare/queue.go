package compare

import (
	"container/heap"
	"time"
)

// event is something that happens at a time. Events of the same time come in the
// order in which they were sent.
type event struct {
	at   time.Time
	n    int
	fork string // whose answer it is
	do   func()
}

// queue holds what is still to happen.
type queue struct {
	events []*event
	sent   int
}

// Len, Less, Swap, Push and Pop order the events for package heap.
func (q *queue) Len() int { return len(q.events) }

// Less puts the earlier event first.
func (q *queue) Less(i, j int) bool {
	a, b := q.events[i], q.events[j]
	if a.at.Equal(b.at) {
		return a.n < b.n
	}
	return a.at.Before(b.at)
}

// Swap swaps two events.
func (q *queue) Swap(i, j int) { q.events[i], q.events[j] = q.events[j], q.events[i] }

// Push is for package heap.
func (q *queue) Push(x any) { q.events = append(q.events, x.(*event)) }

// Pop is for package heap.
func (q *queue) Pop() any {
	n := len(q.events) - 1
	e := q.events[n]
	q.events[n] = nil
	q.events = q.events[:n]
	return e
}

func (q *queue) send(at time.Time, fork string, do func()) {
	q.sent++
	heap.Push(q, &event{at: at, n: q.sent, fork: fork, do: do})
}

// next returns the event that comes first, nil when nothing is to happen.
func (q *queue) next() *event {
	if len(q.events) == 0 {
		return nil
	}
	return heap.Pop(q).(*event)
}

// cut takes a fork's answer out; false when none is on its way.
func (q *queue) cut(fork string) bool {
	for i, e := range q.events {
		if e.fork == fork {
			heap.Remove(q, i)
			return true
		}
	}
	return false
}
