package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/thread"
)

// askPerson puts an approval to the person at the terminal. Whatever is not a
// clear yes is a no.
func (c *cli) askPerson(t *thread.Thread, a longrein.Approval) {
	fmt.Fprintf(c.err, "\n%s wants to run, and it needs your yes: %s\n\n    %s\n\nallow it? [y]es, [n]o, or a word on why not: ",
		printable(a.Tool), printable(a.Reason), printable(a.Action))
	line, err := bufio.NewReader(c.in).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	allow := err == nil && (answer == "y" || answer == "yes")
	note := ""
	if !allow && answer != "n" && answer != "no" {
		note = strings.TrimSpace(line)
	}
	if err := t.Decide(context.Background(), a.CallID, allow, note); err != nil {
		fmt.Fprintln(c.err, "! the answer came too late:", err)
	}
}
