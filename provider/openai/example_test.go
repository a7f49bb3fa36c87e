package openai_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
	"github.com/longrein/longrein/provider/openai"
)

// A local server needs no key. The body is a complete request of the wire, as
// package wire makes it.
func ExampleNewChat() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `data: {"model":"small","choices":[{"delta":{"reasoning":"Two of them."}}]}

data: {"choices":[{"delta":{"content":"There are two."},"finish_reason":"stop"}]}

data: [DONE]

`)
	}))
	defer server.Close()

	model := openai.NewChat(provider.Endpoint{Name: "local", BaseURL: server.URL + "/v1"})
	request := longrein.Request{Model: "small", Body: []byte(`{"model":"small","stream":true,"messages":[]}`)}
	for ev, err := range model.Stream(context.Background(), request) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch ev := ev.(type) {
		case longrein.ItemDone:
			fmt.Printf("%s: %v\n", longrein.Kind(ev.Item), ev.Item)
		case longrein.Finished:
			fmt.Println("stopped for", ev.Stop)
		}
	}
	// Output:
	// reasoning: {Two of them. chat small []}
	// message: {assistant There are two.}
	// stopped for end
}
