package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is something that goes wrong with chosen requests. Exactly one of
// Request, Step and Every is set.
type Fault struct {
	Kind   FaultKind
	Status int // of HTTP, for FaultStatus and FaultHTML

	Request int // number of the first request that is struck, from 1
	Step    int // number of the script's step whose request is struck, from 1
	Every   int // each request whose number is a multiple is struck

	Times int           // requests that are struck in all, 0 for no end
	Wait  time.Duration // Retry-After of FaultStatus; how late FaultSlow begins
}

// FaultKind is what goes wrong.
type FaultKind string

// The kinds of fault.
const (
	FaultStatus  FaultKind = "status"   // an HTTP status with the provider's error body
	FaultCut     FaultKind = "cut"      // the connection ends in the middle of the response
	FaultSlow    FaultKind = "slow"     // the first byte comes late
	FaultTooLong FaultKind = "too-long" // the context window is said to be exceeded
	FaultGarbage FaultKind = "garbage"  // two events in the middle are no JSON
	FaultFailed  FaultKind = "failed"   // the response begins, then an event says it failed
	FaultHTML    FaultKind = "html"     // an HTML page instead of an answer
)

// ParseFault reads a fault as scripts and flags write it: a status or a kind,
// then when, how often, and a duration. Without when it strikes the first
// request; it strikes once, and with every without end.
//
//	429 at request 3 times 2 retry-after 1s
//	500 at step 10 times 8
//	cut every 20
//	slow at step 5 after 20s
//	html 502 at request 1
func ParseFault(s string) (Fault, error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return Fault{}, fmt.Errorf("fault: a status or one of %s is missing", kinds())
	}
	f, err := parseKind(words[0])
	if err != nil {
		return Fault{}, err
	}
	words = words[1:]
	for len(words) > 0 {
		n, err := f.set(words)
		if err != nil {
			return Fault{}, fmt.Errorf("fault %q: %w", s, err)
		}
		words = words[n:]
	}
	return f.complete(), nil
}

var faultKinds = []FaultKind{FaultCut, FaultSlow, FaultTooLong, FaultGarbage, FaultFailed, FaultHTML}

func kinds() string {
	names := make([]string, 0, len(faultKinds))
	for _, k := range faultKinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

func parseKind(word string) (Fault, error) {
	if k := FaultKind(word); slices.Contains(faultKinds, k) {
		return Fault{Kind: k}, nil
	}
	status, err := strconv.Atoi(word)
	if err != nil || status < 400 || status > 599 {
		return Fault{}, fmt.Errorf("fault: %q is neither a status from 400 to 599 nor one of %s", word, kinds())
	}
	return Fault{Kind: FaultStatus, Status: status}, nil
}

// set takes what words begin with, and returns how many of them it took.
func (f *Fault) set(words []string) (int, error) {
	if f.Kind == FaultHTML && f.Status == 0 {
		if n, err := strconv.Atoi(words[0]); err == nil && n >= 200 && n <= 599 { // fixed: HTTP's codes
			f.Status = n
			return 1, nil
		}
	}
	words = append(words, "", "")
	switch words[0] {
	case "at":
		return 3, f.at(words[1], words[2])
	case "every":
		return 2, count(words[1], &f.Every)
	case "times":
		return 2, count(words[1], &f.Times)
	case "retry-after", "after":
		var err error
		f.Wait, err = duration(words[1])
		return 2, err
	}
	return 0, fmt.Errorf("unknown word %q: there are at request, at step, every, times, retry-after and after", words[0])
}

func (f *Fault) at(what, n string) error {
	switch what {
	case "request":
		return count(n, &f.Request)
	case "step":
		return count(n, &f.Step)
	}
	return fmt.Errorf("at is followed by request or step, not %q", what)
}

func duration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err == nil && (d < 0 || d > 24*time.Hour) {
		err = fmt.Errorf("%s is not between 0 and 24h", s)
	}
	return d, err
}

func count(s string, to *int) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > maxSteps {
		return fmt.Errorf("%q is no number from 1 to %d", s, maxSteps)
	}
	*to = n
	return nil
}

func (f Fault) complete() Fault {
	if f.Request+f.Step+f.Every == 0 {
		f.Request = 1
	}
	if f.Times == 0 && f.Every == 0 {
		f.Times = 1
	}
	if f.Kind == FaultHTML && f.Status == 0 {
		f.Status = 200
	}
	return f
}

// strikes reports whether f is due for a request, when it has struck struck
// times before.
func (f Fault) strikes(request, step, struck int) bool {
	switch {
	case f.Times > 0 && struck >= f.Times:
		return false
	case f.Step > 0:
		return step == f.Step
	case f.Every > 0:
		return request%f.Every == 0
	}
	return request >= f.Request
}
