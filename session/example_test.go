package session_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/session"
)

func Example() {
	recorded := strings.NewReader(`{"type":"session","id":"7","timestamp":"2026-03-01T10:00:00Z","cwd":"/home/dev/shop"}
{"type":"message","timestamp":"2026-03-01T10:00:01Z","message":{"role":"user","content":"Which files are there?"}}
{"type":"message","timestamp":"2026-03-01T10:00:02Z","message":{"role":"assistant","model":"m","content":[{"type":"toolCall","id":"1","name":"bash","arguments":{"command":"ls"}}]}}
{"type":"message","timestamp":"2026-03-01T10:00:03Z","message":{"role":"toolResult","toolCallId":"1","content":"prices.csv"}}
{"type":"message","timestamp":"2026-03-01T10:00:04Z","message":{"role":"assist`)

	recording, err := session.Read(recorded, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(recording.Format)
	fmt.Println(&recording.Report)
	for record := range recording.Sessions[0].Records("0195aaaa-0000-7000-8000-000000000001") {
		if a, ok := record.Body.(longrein.Appended); ok {
			fmt.Printf("%+v\n", a.Item)
		}
	}
	// Output:
	// pi
	// 5 lines: 4 taken, 0 passed over, 1 not readable, 0 blank; 1 calls, 0 without output
	// {Role:user Text:Which files are there?}
	// {ID:1 Name:bash Args:{"command":"ls"}}
	// {CallID:1 Text:prices.csv Status:ok Full:<nil> Files:[] Exit:<nil>}
}
