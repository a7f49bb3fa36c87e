package local_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider/local"
)

func ExampleIdentify() {
	vllm := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"data":[{"id":"qwen3-32b","owned_by":"vllm","max_model_len":40960}]}`)
	}))
	defer vllm.Close()

	found, ok := local.Identify(context.Background(), local.Options{Limits: limit.Set{"probe": 5_000}}, vllm.URL+"/v1")
	fmt.Println(ok, found.Kind, found.Models[0].ContextWindow)
	fmt.Print(strings.ReplaceAll(local.Text([]local.Found{found}), vllm.URL, "http://127.0.0.1:8000"))
	// Output:
	// true vLLM 40960
	// vLLM at http://127.0.0.1:8000/v1: qwen3-32b (40960 tokens)
}
