package compare

// scanner finds a vocabulary's values in texts. It is one goroutine's; the
// vocabulary may be shared.
type scanner struct {
	v     *vocabulary
	stamp []int32 // the text in which a value was found last
	n     int32
	low   [longest]byte
}

func newScanner(v *vocabulary) *scanner {
	s := &scanner{v: v}
	s.grow()
	return s
}

// grow makes room for values that were added.
func (s *scanner) grow() {
	if n := len(s.v.kinds) - len(s.stamp); n > 0 {
		s.stamp = append(s.stamp, make([]int32, n)...)
	}
}

// text returns the values and the words of instructions in a text, each once, in
// the order in which they stand there. When is told of each, and where it stands.
func (s *scanner) text(text string, escaped bool, when func(i id, at int)) []id {
	s.n++
	var found []id
	for t := range tokens(text, escaped) {
		i, ok := s.find(t)
		if !ok || s.stamp[i] == s.n {
			continue
		}
		s.stamp[i] = s.n
		found = append(found, i)
		if when != nil {
			when(i, t.at)
		}
	}
	return found
}

// find returns the value that a token is, or the word.
func (s *scanner) find(t token) (id, bool) {
	letters := t.what&^(small|large) == 0
	if !letters || t.what == small|large {
		if i, ok := s.v.ids[t.text]; ok || !letters {
			return i, ok
		}
	}
	n := len(t.text)
	for i := range n {
		c := t.text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		s.low[i] = c
	}
	i, ok := s.v.ids[string(s.low[:n])]
	return i, ok
}
