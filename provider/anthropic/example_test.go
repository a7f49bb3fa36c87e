package anthropic_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/anthropic"
)

// Input counts all tokens of the input, those that came from the cache included.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `event: message_start
data: {"type":"message_start","message":{"model":"small","usage":{"input_tokens":4,"cache_read_input_tokens":96}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hello."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_stop
data: {"type":"message_stop"}

`)
	}))
	defer server.Close()

	model := anthropic.New(provider.Endpoint{Name: "local", BaseURL: server.URL})
	for ev, err := range model.Stream(context.Background(), longrein.Request{Model: "small", Body: []byte(`{}`)}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch ev := ev.(type) {
		case longrein.ItemDone:
			fmt.Println(ev.Item)
		case longrein.Finished:
			fmt.Printf("%d tokens, %d of them cached\n", ev.Usage.Input, ev.Usage.Cached)
		}
	}
	// Output:
	// {assistant Hello.}
	// 100 tokens, 96 of them cached
}
