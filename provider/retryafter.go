package provider

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// retryAfter returns how long an error answer asks to wait, 0 if it does not
// say. What is said for this request goes before the reset of a rate limit.
func retryAfter(h http.Header, message string, now time.Time) time.Duration {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date // the server's clock, which its other times are of
	}
	if d := inUnits(h.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	if v := h.Get("Retry-After"); v != "" {
		if at, err := http.ParseTime(v); err == nil {
			return max(0, at.Sub(now))
		}
		return inUnits(v, time.Second)
	}
	if d := askedFor(message); d > 0 {
		return d
	}
	return untilReset(h, now)
}

// untilReset returns when the last of the used-up rate limits is reset.
func untilReset(h http.Header, now time.Time) time.Duration {
	var d time.Duration
	for name, values := range h {
		name = strings.ToLower(name)
		if !strings.Contains(name, "ratelimit") || !strings.Contains(name, "reset") || len(values) == 0 {
			continue
		}
		left := h.Get(strings.Replace(name, "reset", "remaining", 1))
		if left == "0" || left == "" {
			d = max(d, resetIn(values[0], now))
		}
	}
	return d
}

// resetIn reads the forms that reset headers have: "6m0s", a time, seconds from
// now, seconds or milliseconds since 1970.
func resetIn(v string, now time.Time) time.Duration {
	if d, err := time.ParseDuration(v); err == nil {
		return max(0, d)
	}
	if at, err := time.Parse(time.RFC3339, v); err == nil {
		return max(0, at.Sub(now))
	}
	n, err := strconv.ParseInt(v, 10, 64)
	switch {
	case err != nil:
		return 0
	case n > 1e11: // fixed: a time in milliseconds
		return max(0, time.UnixMilli(n).Sub(now))
	case n > 1e8: // fixed: a time in seconds
		return max(0, time.Unix(n, 0).Sub(now))
	}
	return inUnits(v, time.Second)
}

// askedFor finds "try again in 11.054s" and its like in a message, 0 for none.
func askedFor(message string) time.Duration {
	found := againForm().FindStringSubmatch(message)
	if found == nil {
		return 0
	}
	var d time.Duration
	for _, m := range partForm().FindAllStringSubmatch(found[1], -1) {
		d += inUnits(m[1], unitOf(m[2]))
	}
	return d
}

var againForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:again|retry|wait|retrying)(?: in| after| for)?:? ((?:\d+(?:\.\d+)? ?(?:ms|milli\w*|s|sec\w*|m|min\w*|h|hours?)\b ?)+|(?:\d+(?:\.\d+)?(?:ms|s|m|h))+)`)
})

var partForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\d+(?:\.\d+)?) ?([A-Za-z]+)`)
})

func unitOf(word string) time.Duration {
	word = strings.ToLower(word)
	switch {
	case strings.HasPrefix(word, "ms"), strings.HasPrefix(word, "milli"):
		return time.Millisecond
	case strings.HasPrefix(word, "m"):
		return time.Minute
	case strings.HasPrefix(word, "h"):
		return time.Hour
	}
	return time.Second
}

// inUnits reads a decimal number of units: 0 for what is none or negative, and
// no more than a day, which nobody waits for.
func inUnits(number string, unit time.Duration) time.Duration {
	const day = 24 * time.Hour // fixed: the most that the limit retry-after can be
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(n > 0) {
		return 0
	}
	return time.Duration(min(n*float64(unit), float64(day)))
}
