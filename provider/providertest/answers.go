package providertest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/wire"
)

var shown = cmpopts.IgnoreUnexported(response{})

// wants fails the test unless the server's answer comes to want.
func (s suite) wants(t *testing.T, h http.HandlerFunc, want response) response {
	t.Helper()
	got, err := ask(t, s.serve(t, h), s.request())
	if err != nil {
		t.Fatalf("the stream failed: %v", err)
	}
	if diff := cmp.Diff(want, got, shown); diff != "" {
		t.Errorf("the stream came to (-want +got):\n%s", diff)
	}
	return got
}

func (s suite) plainAnswer(t *testing.T) {
	s.wants(t, stream(Answer(t, s.wire, "answer")), s.wantAnswer())
}

func (s suite) calls(t *testing.T) {
	got := s.wants(t, stream(Answer(t, s.wire, "calls")), s.wantCalls())
	if len(got.Items) == 0 {
		return
	}
	r := got.Items[0].(longrein.Reasoning)
	if len(r.Raw) == 0 {
		return // this wire takes none back
	}
	enc, err := wire.For(s.wire)
	if err != nil {
		t.Fatal(err)
	}
	var entries []longrein.Entry
	for _, it := range got.Items {
		entries = append(entries, longrein.Entry{Step: 1, Item: it})
	}
	head := wire.Head{Settings: longrein.Settings{Model: "m-1", Wire: s.wire}}
	if sent := enc.Group(nil, head, entries); !bytes.Contains(sent, r.Raw) {
		t.Errorf("the reasoning is not sent back: %s", sent)
	}
}

func (s suite) deltas(t *testing.T) {
	got := s.wants(t, stream(Answer(t, s.wire, "calls")), s.wantCalls())
	want := map[longrein.DeltaKind]string{
		longrein.DeltaReasoning: "Look at both files.",
		longrein.DeltaText:      "I look.",
		longrein.DeltaCall:      `{"path":"a.txt"}{"path":"b.txt"}`,
	}
	if diff := cmp.Diff(want, got.deltas); diff != "" {
		t.Errorf("the deltas add up to (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"read_file", "read_file"}, got.names); diff != "" {
		t.Errorf("the deltas name (-want +got):\n%s", diff)
	}
}

func (s suite) notJSON(t *testing.T) {
	var b bytes.Buffer
	for _, ev := range events(Answer(t, s.wire, "answer")) {
		b.WriteString("data: {\"half an obj\n\n")
		b.Write(ev)
		b.WriteString("event: odd\ndata: <html>\n\n")
	}
	s.wants(t, stream(b.Bytes()), s.wantAnswer())
}

// noise is what the form of server-sent events allows: comments, CRLF, fields
// that nobody knows, and here no blank line at the end.
func (s suite) noise(t *testing.T) {
	all := Answer(t, s.wire, "answer")
	b := append([]byte("\n: hello\n\nretry: 10\n\n"), bytes.ReplaceAll(all, []byte("\n"), []byte("\r\n"))...)
	s.wants(t, stream(bytes.TrimSpace(b)), s.wantAnswer())
}

// hugeEvent has its text in up to five events.
func (s suite) hugeEvent(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 3<<20/16)
	answer := bytes.ReplaceAll(Answer(t, s.wire, "answer"), []byte("Grüße, "), []byte(long))
	want := s.wantAnswer()
	want.Items = []longrein.Item{longrein.Message{Role: longrein.RoleAssistant, Text: strings.Replace(said, "Grüße, ", long, 1)}}
	got, err := ask(t, s.serve(t, stream(answer)), s.request())
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(want, got, shown) {
		t.Error("a huge event came to something else") // the difference would fill the screen
	}
}

func (s suite) slowFirstByte(t *testing.T) {
	s.wants(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(50 * time.Millisecond)
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		time.Sleep(50 * time.Millisecond)
		stream(Answer(t, s.wire, "answer"))(w, r)
	}, s.wantAnswer())
}

func (s suite) bodyUntouched(t *testing.T) {
	r := s.request()
	pad := strings.Repeat(`<&>\u2028 ü 日本 `, 40<<10)
	r.Body = fmt.Appendf(nil, "{\"model\":\"m-1\",\"stream\":true, \n\"pad\":%q}", pad)
	var sent []byte
	var req *http.Request
	_, err := ask(t, s.serve(t, func(w http.ResponseWriter, in *http.Request) {
		sent, _ = io.ReadAll(in.Body)
		req = in
		stream(Answer(t, s.wire, "answer"))(w, in)
	}), r)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(sent, r.Body) {
		t.Errorf("%d bytes were sent, want the %d of the request", len(sent), len(r.Body))
	}
	if req.Method != http.MethodPost || req.URL.Path != s.path() || req.Header.Get("Content-Type") != "application/json" {
		t.Errorf("asked by %s %s with %s, want POST %s with application/json", req.Method, req.URL, req.Header.Get("Content-Type"), s.path())
	}
	if got := req.Header.Get("Authorization"); got != "Bearer "+Key {
		t.Error("the key is not in the Authorization header")
	}
}

// environment sets what the makers' own clients would follow.
func (s suite) environment(t *testing.T) {
	for _, maker := range []string{"OPENAI_", "ANTHROPIC_"} {
		for _, name := range []string{"API_KEY", "ADMIN_KEY", "AUTH_TOKEN", "ORG_ID", "PROJECT_ID", "PROFILE"} {
			t.Setenv(maker+name, "from-the-environment")
		}
		t.Setenv(maker+"BASE_URL", "http://127.0.0.1:1/from-the-environment")
		t.Setenv(maker+"CUSTOM_HEADERS", "X-Stray: from-the-environment")
	}
	s.wants(t, func(w http.ResponseWriter, r *http.Request) {
		var b strings.Builder
		_ = r.Header.Write(&b)
		if strings.Contains(b.String(), "from-the-environment") {
			t.Errorf("the environment is in the headers:\n%s", b.String())
		}
		stream(Answer(t, s.wire, "answer"))(w, r)
	}, s.wantAnswer())
}
