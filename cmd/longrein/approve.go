package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/longrein/longrein"
)

// asker puts approvals to the person at the terminal, one at a time: an answer
// must never reach another question than the one that stands above it.
type asker struct {
	in     *bufio.Reader
	flush  func() // of what was typed before the question
	out    io.Writer
	decide func(ctx context.Context, callID string, allow bool, note string) error

	turn sync.Mutex // held while a question is on the terminal
	mu   sync.Mutex
	open map[string]bool // by call
}

func newAsker(in io.Reader, out io.Writer, decide func(context.Context, string, bool, string) error) *asker {
	return &asker{in: bufio.NewReader(in), flush: func() {}, out: out, decide: decide, open: map[string]bool{}}
}

// note takes a question in, or the news that one has been decided.
func (k *asker) note(a longrein.Approval) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if a.State != longrein.ApprovalAsked {
		delete(k.open, a.CallID)
		return
	}
	k.open[a.CallID] = true
	go k.ask(a)
}

func (k *asker) isOpen(callID string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.open[callID]
}

// ask waits for its turn at the terminal and for the answer. Whatever is not a
// clear yes is a no.
func (k *asker) ask(a longrein.Approval) {
	k.turn.Lock()
	defer k.turn.Unlock()
	if !k.isOpen(a.CallID) {
		return
	}
	k.flush()
	_, _ = k.in.Discard(k.in.Buffered()) // never more than is there
	fmt.Fprint(k.out, question(a))
	line, err := k.in.ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	allow := err == nil && (answer == "y" || answer == "yes")
	note := ""
	if !allow && answer != "n" && answer != "no" {
		note = strings.TrimSpace(line)
	}
	if err := k.decide(context.Background(), a.CallID, allow, note); err != nil {
		fmt.Fprintln(k.out, "! the answer came too late:", err)
	}
}

// question shows all of what would run. Every line of it is indented, so that
// none can pass for one of ours, and a long one says again how it begins.
func question(a longrein.Approval) string {
	action := printable(a.Action)
	text := fmt.Sprintf("\n%s wants to run, and it needs your yes: %s\n\n    %s\n\n",
		printable(a.Tool), indented(printable(a.Reason)), indented(action))
	if n := strings.Count(action, "\n") + 1; n > 10 { // fixed: nothing is cut; a long question says again how it begins
		text += fmt.Sprintf("these were %d lines, the first of them: %s\n", n, firstLine(action, 100))
	}
	return text + "allow it? [y]es, [n]o, or a word on why not: "
}

func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n    ") }
