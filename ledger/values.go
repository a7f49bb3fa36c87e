package ledger

import (
	"strconv"
	"strings"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// value is an id, an address or a number that was used again after it was seen.
type value struct {
	Text string `json:"v"` // "8080", or "PORT=8080" where it was seen so
	Seq  int64  `json:"s"` // where it was seen first
	Used int64  `json:"u"` // by the call or message that used it last
	Uses int    `json:"n"`
}

func (v value) key() string { return match(v.Text) }

// candidate is a value that nothing has used yet.
type candidate struct {
	text string
	seq  int64
}

func (c candidate) key() string { return match(c.text) }

// MarshalText writes "412 PORT=8080"; a value holds no space.
func (c candidate) MarshalText() ([]byte, error) {
	return append(strconv.AppendInt(nil, c.seq, 10), " "+c.text...), nil
}

// UnmarshalText reads what MarshalText wrote.
func (c *candidate) UnmarshalText(b []byte) (err error) {
	seq, text, _ := strings.Cut(string(b), " ")
	c.text = text
	c.seq, err = strconv.ParseInt(seq, 10, 64)
	return err
}

// share of the candidates that one item may bring.
const share = 8

// seen remembers the values in a text from outside, in case a later step uses
// one.
func (n noting) seen(text string) {
	text = text[:min(len(text), n.set.Int(limit.LedgerScan))]
	most := n.set.Int(limit.LedgerCandidates)
	room := most / share
	for token := range tokens(text, false) {
		room -= n.candidate(token)
		if room <= 0 {
			break
		}
	}
	for n.Candidates.Len() > most {
		n.Left.Candidates++
		n.Candidates.take(n.Candidates.oldest().key())
	}
}

// candidate remembers a value and returns how many new ones that makes.
func (n noting) candidate(text string) int {
	key := match(text)
	if n.Values.get(key) != nil {
		return 0
	}
	if c := n.Candidates.get(key); c != nil {
		if c.text == key {
			c.text = strings.Clone(text) // its name is worth knowing
		}
		return 0
	}
	n.Candidates.put(candidate{strings.Clone(text), n.seq})
	return 1
}

// usedBy notes the values that a call uses. A patch uses what it adds; what it
// keeps and removes stands in the file.
func (n noting) usedBy(c longrein.ToolCall, a arguments) {
	if c.Name != patchTool {
		n.used(c.Args, true)
		return
	}
	for line := range strings.Lines(a.Patch) {
		if strings.HasPrefix(line, "+") {
			n.used(line, false)
		}
	}
}

// used notes the values that a text from the model uses.
func (n noting) used(text string, escaped bool) {
	text = text[:min(len(text), n.set.Int(limit.LedgerScan))]
	for token := range tokens(text, escaped) {
		n.use(match(token))
	}
}

func (n noting) use(key string) {
	v, known := n.Values.take(key)
	if !known {
		c, seen := n.Candidates.take(key)
		if !seen {
			return
		}
		v = value{Text: c.text, Seq: c.seq}
	}
	if v.Used != n.seq {
		v.Uses++
	}
	v.Used = n.seq
	n.Values.put(v)
	if n.Values.Len() > n.set.Int(limit.LedgerValues) {
		n.Left.Values++
		n.Values.take(n.Values.oldest().key())
	}
}
