package sim

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// Models returns the names that the Sim plays a script for, besides any other
// name when Options.Script is set.
func (s *Sim) Models() []string {
	var names []string
	if c := s.o.Script; c != nil {
		names = append(names, "sim:"+c.Name)
	}
	for _, n := range Builtins() {
		if !slices.Contains(names, "sim:"+n) {
			names = append(names, "sim:"+n)
		}
	}
	return names
}

// modelObject describes a model in the fields of both kinds of API, so that the
// clients of both can read it.
func (s *Sim) modelObject(name string) string {
	window := ""
	if s.o.Window > 0 {
		window = fmt.Sprintf(`,"max_model_len":%d,"max_input_tokens":%d`, s.o.Window, s.o.Window)
	}
	return fmt.Sprintf(`{"id":%s,"object":"model","created":0,"owned_by":"longrein-sim","type":"model","display_name":%s,"created_at":"1970-01-01T00:00:00Z"%s}`,
		quote(name), quote("simulated model "+name), window)
}

func (s *Sim) serveModels(w http.ResponseWriter, _ *http.Request) {
	names := s.Models()
	objects := make([]string, 0, len(names))
	for _, n := range names {
		objects = append(objects, s.modelObject(n))
	}
	label(w, "application/json", http.StatusOK)
	fmt.Fprintf(w, "{\"object\":\"list\",\"data\":[%s],\"has_more\":false,\"first_id\":%s,\"last_id\":%s}\n",
		strings.Join(objects, ","), quote(names[0]), quote(names[len(names)-1]))
}

func (s *Sim) serveModel(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if _, err := s.script(id); err != nil {
		bad := statusProblem(http.StatusNotFound, 0)
		bad.message = err.Error()
		writeProblem(w, longrein.WireResponses, bad)
		return
	}
	label(w, "application/json", http.StatusOK)
	_, _ = io.WriteString(w, s.modelObject(id)+"\n")
}
