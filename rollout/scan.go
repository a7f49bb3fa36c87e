package rollout

import "bytes"

const (
	// minRepeat is the size in bytes from which a value is stored once. A
	// reference takes about 35.
	minRepeat = 128
	// maxDepth is how deep an object or array may lie in its payload to be
	// stored once as a whole. A window's entries lie at 2. Strings are found at
	// any depth.
	maxDepth = 2 // fixed: deeper values are stored in full
)

// span is a value's place in a payload.
type span struct{ start, end int }

// spans returns the values of b that are worth storing once, outer before
// inner. b is compact JSON; of anything else nothing is promised but an end.
func spans(b []byte) []span {
	var (
		found []span
		open  [maxDepth + 1]int // by depth: the container's index in found
		depth int
	)
	for i := 0; i < len(b); {
		switch b[i] {
		case '"':
			end := stringEnd(b, i)
			if end-i >= minRepeat && !isKey(b, end) { // fixed: what is shorter is stored as it is
				found = append(found, span{i, end})
			}
			i = end
			continue
		case '{', '[':
			if depth <= maxDepth {
				open[depth] = len(found)
				found = append(found, span{start: i})
			}
			depth++
		case '}', ']':
			depth--
			if depth < 0 {
				return nil
			}
			if depth <= maxDepth {
				found = closeSpan(found, open[depth], i+1)
			}
		}
		i++
	}
	if depth != 0 {
		return nil
	}
	return found
}

// closeSpan ends the container at index i. A short one holds nothing that was
// found, so it is the last and is dropped.
func closeSpan(found []span, i, end int) []span {
	if end-found[i].start < minRepeat {
		return found[:i]
	}
	found[i].end = end
	return found
}

// stringEnd returns the index after the string that starts at b[start].
func stringEnd(b []byte, start int) int {
	for i := start + 1; ; i++ {
		n := bytes.IndexByte(b[min(i, len(b)):], '"')
		if n < 0 {
			return len(b)
		}
		i += n
		if !escaped(b[start+1 : i]) {
			return i + 1
		}
	}
}

// escaped reports whether a character after b stands behind a backslash.
func escaped(b []byte) bool {
	n := len(b) - len(bytes.TrimRight(b, `\`))
	return n%2 == 1
}

func isKey(b []byte, end int) bool { return end < len(b) && b[end] == ':' }
