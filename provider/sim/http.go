package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// Handler serves the three wires: POST /v1/responses, /v1/chat/completions and
// /v1/messages, streamed or whole as the request says, and GET /v1/models. Every
// answer has the header Longrein-Simulated. It takes any key and asks for none.
func (s *Sim) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/responses", s.serve(longrein.WireResponses))
	mux.HandleFunc("POST /v1/chat/completions", s.serve(longrein.WireChat))
	mux.HandleFunc("POST /v1/messages", s.serve(longrein.WireMessages))
	mux.HandleFunc("GET /v1/models", s.serveModels)
	mux.HandleFunc("GET /v1/models/{id}", s.serveModel)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		label(w, "text/plain; charset=utf-8", http.StatusOK)
		fmt.Fprintln(w, "This is Longrein's simulated model. It plays scripts and thinks nothing. Its API is under /v1.")
	})
	return mux
}

// label writes the header of an answer.
func label(w http.ResponseWriter, contentType string, status int) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Longrein-Simulated", "true")
	w.WriteHeader(status)
}

func (s *Sim) serve(wire longrein.Wire) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, bad := s.read(w, r)
		if bad != nil {
			writeProblem(w, wire, bad)
			return
		}
		out := s.decide(wire, body)
		defer s.done(out)
		if sleep(r.Context(), s.wait(out)) != nil {
			return
		}
		switch {
		case out.bad != nil:
			writeProblem(w, wire, out.bad)
		case out.fault.Kind == FaultHTML:
			label(w, "text/html; charset=utf-8", out.fault.Status)
			_, _ = io.WriteString(w, "<!DOCTYPE html><html><head><title>simulated proxy</title></head><body><h1>This is no API</h1></body></html>\n")
		case out.prompt.stream:
			s.writeStream(r.Context(), w, out)
		default:
			s.writeWhole(w, out)
		}
	}
}

// read takes the body, up to the limit sim-request.
func (s *Sim) read(w http.ResponseWriter, r *http.Request) ([]byte, *problem) {
	most := s.o.Limits.Of(limit.SimRequest)
	if r.ContentLength > most {
		return nil, tooLarge(most)
	}
	body := make([]byte, 0, max(r.ContentLength, 0)+512)
	from := http.MaxBytesReader(w, r.Body, most)
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		var large *http.MaxBytesError
		switch {
		case err == io.EOF:
			return body, nil
		case errors.As(err, &large):
			return nil, tooLarge(most)
		case err != nil:
			return nil, badRequest("", "the request's body could not be read")
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

func tooLarge(most int64) *problem {
	p := badRequest("", "the request is larger than %d bytes (limit %s)", most, limit.SimRequest.Name)
	p.status = http.StatusRequestEntityTooLarge
	return p
}

func writeProblem(w http.ResponseWriter, wire longrein.Wire, p *problem) {
	if p.retry > 0 {
		w.Header().Set("Retry-After", strconv.FormatFloat(p.retry.Seconds(), 'f', -1, 64))
	}
	label(w, "application/json", p.status)
	_, _ = io.WriteString(w, p.body(wire)+"\n")
}

// event is one server-sent event. A name is sent only on wires that have names.
type event struct {
	name   string
	data   string
	tokens int // of output that it brings
}

// events returns the reply as the wire streams it.
func (out outcome) events(now time.Time) []event {
	switch out.prompt.wire {
	case longrein.WireResponses:
		return responsesEvents(out.reply, now)
	case longrein.WireChat:
		return chatEvents(out.reply, now, out.prompt.usage)
	}
	return messagesEvents(out.reply)
}

// writeStream sends the events, and what the fault does to them.
func (s *Sim) writeStream(ctx context.Context, w http.ResponseWriter, out outcome) {
	label(w, "text/event-stream", http.StatusOK)
	events := out.events(s.o.Now())
	half := len(events) / 2
	for i, e := range events {
		if i == half && s.breakOff(w, out) {
			return
		}
		writeEvent(w, e)
		pause := rate(int64(e.tokens), s.o.Latency.Output)
		if pause > 0 {
			flush(w)
		}
		if sleep(ctx, pause) != nil {
			return
		}
	}
}

// breakOff does in the middle of a stream what the fault says, and reports
// whether the stream ends with it.
func (s *Sim) breakOff(w http.ResponseWriter, out outcome) bool {
	switch out.fault.Kind {
	case FaultCut:
		flush(w)
		panic(http.ErrAbortHandler)
	case FaultGarbage:
		_, _ = io.WriteString(w, "data: {\"type\": this is no JSON\n\ndata: <html>\n\n")
	case FaultFailed:
		writeEvent(w, failedEvent(out.prompt.wire, out.reply, s.o.Now()))
		return true
	}
	return false
}

func flush(w http.ResponseWriter) {
	_ = http.NewResponseController(w).Flush()
}

func writeEvent(w io.Writer, e event) {
	var b strings.Builder
	if e.name != "" {
		b.WriteString("event: " + e.name + "\n")
	}
	b.WriteString("data: " + e.data + "\n\n")
	_, _ = io.WriteString(w, b.String())
}

// failedEvent says inside a stream that the response failed.
func failedEvent(wire longrein.Wire, r reply, now time.Time) event {
	p := statusProblem(http.StatusInternalServerError, 0)
	p.message = "simulated model: the response failed in the middle"
	switch wire {
	case longrein.WireMessages:
		p.status = 529
		return event{name: "error", data: p.body(wire)}
	case longrein.WireResponses:
		return responsesFailed(r, now, p.message)
	}
	return event{data: p.body(wire)}
}

// writeWhole sends the reply in one piece. A fault that breaks off a stream
// leaves half of it.
func (s *Sim) writeWhole(w http.ResponseWriter, out outcome) {
	var body string
	switch out.prompt.wire {
	case longrein.WireResponses:
		body = responsesObject(out.reply, s.o.Now())
	case longrein.WireChat:
		body = chatObject(out.reply, s.o.Now())
	default:
		body = messagesObject(out.reply)
	}
	switch out.fault.Kind {
	case FaultFailed:
		writeProblem(w, out.prompt.wire, statusProblem(http.StatusInternalServerError, 0))
		return
	case FaultCut, FaultGarbage:
		body = body[:len(body)/2]
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	label(w, "application/json", http.StatusOK)
	if out.fault.Kind == FaultCut {
		_, _ = io.WriteString(w, body[:len(body)/2])
		flush(w)
		panic(http.ErrAbortHandler)
	}
	_, _ = io.WriteString(w, body)
}
