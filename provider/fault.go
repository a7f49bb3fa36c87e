package provider

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/longrein/longrein"
)

// fault is an error answer, whatever its shape was.
type fault struct {
	status  int      // of HTTP, or what the error object gives as such
	code    int      // the error object's own status, 0 for none
	names   []string // its code, type and status words
	message string
	param   string // the field it names
	page    bool   // it was HTML
	wait    time.Duration
}

// readFault reads an error answer's body.
func readFault(body []byte) fault {
	if !gjson.ValidBytes(body) {
		return fault{message: plain(body)}
	}
	root := gjson.ParseBytes(body)
	if root.IsArray() { // Gemini wraps the object
		root = root.Get("0")
	}
	obj := root.Get("error")
	if !obj.IsObject() {
		obj = root // vLLM before 0.10, Mistral, Azure's gateway
	}
	f := fault{message: message(root, obj), param: obj.Get("param").String()}
	for _, name := range []string{"code", "type", "status"} {
		if v := obj.Get(name); v.Type == gjson.String {
			f.names = append(f.names, v.String())
		}
	}
	f.code = statusOf(obj.Get("code").String())
	return f
}

// message finds the words in an error object.
func message(root, obj gjson.Result) string {
	if raw := obj.Get("metadata.raw"); raw.Type == gjson.String && raw.String() != "" {
		return obj.Get("message").String() + ": " + raw.String() // OpenRouter's upstream
	}
	for _, v := range []gjson.Result{
		obj.Get("message"), root.Get("error"), root.Get("detail"), root.Get("message"), root.Get("title"),
	} {
		if v.Exists() && v.Type != gjson.Null && v.String() != "" {
			return v.String()
		}
	}
	return ""
}

// statusOf reads an HTTP status that an error object gives as its code, 0 for
// any other code.
func statusOf(code string) int {
	n, err := strconv.Atoi(code)
	if err != nil || n < 400 || n > 599 { // fixed: HTTP's errors
		return 0
	}
	return n
}

// plain is the text of a body that is no JSON; of a web page its title.
func plain(body []byte) string {
	if m := pageTitle().FindSubmatch(body); m != nil {
		return strings.TrimSpace(string(m[1]))
	}
	if isPage(nil, body) || bytes.IndexByte(body, 0) >= 0 {
		return ""
	}
	return strings.TrimSpace(string(body))
}

var pageTitle = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)<title[^>]*>([^<]*)</title>`)
})

func isPage(h http.Header, body []byte) bool {
	start := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 512)])) // fixed: a page says at its start that it is one
	return strings.HasPrefix(h.Get("Content-Type"), "text/html") ||
		bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}

// named reports whether one of the fault's names is among words.
func (f fault) named(words ...string) bool {
	return slices.ContainsFunc(f.names, func(n string) bool { return slices.Contains(words, strings.ToLower(n)) })
}

// says reports whether the message holds one of the phrases, which are in
// lower case.
func (f fault) says(phrases ...string) bool {
	msg := strings.ToLower(f.message)
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(msg, p) })
}

func (f fault) aboutModel() bool {
	return f.named("model_not_found", "deploymentnotfound") || f.says("model")
}

// kind classifies the fault: the first rule that fits.
func (f fault) kind() longrein.ErrorKind {
	for _, r := range faultRules {
		if r.fits(f) {
			return r.kind
		}
	}
	return longrein.ErrBadRequest
}
