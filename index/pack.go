package index

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/longrein/longrein"
)

// A row's entry is one packed column, because a list of ten thousand threads
// would spend four times as long on getting twenty columns out of SQLite.

// fields passes every field of e through c. Their order is the format; a change
// of it is a change of version.
func (e *Entry) fields(c codec) {
	e.ID = c.text(e.ID)
	e.Path = c.text(e.Path)
	e.Name = c.text(e.Name)
	e.Cwd = c.text(e.Cwd)
	e.Branch = c.text(e.Branch)
	e.Model = c.text(e.Model)
	e.Parent = c.text(e.Parent)
	e.ForkSeq = c.number(e.ForkSeq)
	e.First = c.text(e.First)
	e.Inherited = flag(c, e.Inherited)
	e.State = longrein.TurnState(c.text(string(e.State)))
	e.Turns = int(c.number(int64(e.Turns)))
	e.Requests = int(c.number(int64(e.Requests)))
	usage(c, &e.Tokens)
	e.Cost = math.Float64frombits(uint64(c.number(int64(math.Float64bits(e.Cost)))))
	e.Created = moment(c, e.Created)
	e.Updated = moment(c, e.Updated)
	e.Archived = flag(c, e.Archived)
	e.Seq = c.number(e.Seq)
	e.Size = c.number(e.Size)
	e.Modified = moment(c, e.Modified)
	e.Damaged = c.text(e.Damaged)
}

func usage(c codec, u *longrein.Usage) {
	u.Input = c.number(u.Input)
	u.Cached = c.number(u.Cached)
	u.CacheWrite = c.number(u.CacheWrite)
	u.Output = c.number(u.Output)
	u.Reasoning = c.number(u.Reasoning)
	u.Reported = flag(c, u.Reported)
}

// codec packs the value it is given and returns it, or returns the unpacked one.
type codec interface {
	text(string) string
	number(int64) int64
}

func flag(c codec, b bool) bool {
	var n int64
	if b {
		n = 1
	}
	return c.number(n) != 0
}

// moment keeps UTC and nanoseconds; the zero time stays zero.
func moment(c codec, t time.Time) time.Time {
	n := c.number(nanos(t))
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

// nanos is t in Unix nanoseconds, 0 for the zero time.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func (e Entry) pack() []byte {
	p := packer{make([]byte, 0, 512)}
	e.fields(&p)
	return p.b
}

type packer struct{ b []byte }

func (p *packer) text(s string) string {
	p.b = append(binary.AppendUvarint(p.b, uint64(len(s))), s...)
	return s
}

func (p *packer) number(n int64) int64 {
	p.b = binary.AppendVarint(p.b, n)
	return n
}

var errPacked = errors.New("a row cannot be unpacked")

// unpack reads what pack wrote. The texts of e share one copy of b.
func (e *Entry) unpack(b []byte) error {
	u := unpacker{b: b, s: string(b)}
	e.fields(&u)
	if u.bad || len(u.b) > 0 {
		return errPacked
	}
	return nil
}

// unpacker reads numbers from b and texts from s, which holds the same bytes as
// a string.
type unpacker struct {
	b   []byte
	s   string
	bad bool
}

func (u *unpacker) text(string) string {
	n, used := binary.Uvarint(u.b)
	if u.bad = u.bad || used <= 0 || n > uint64(len(u.b)-used); u.bad {
		return ""
	}
	u.skip(used)
	s := u.s[:n]
	u.skip(int(n))
	return s
}

func (u *unpacker) number(int64) int64 {
	n, used := binary.Varint(u.b)
	if u.bad = u.bad || used <= 0; u.bad {
		return 0
	}
	u.skip(used)
	return n
}

func (u *unpacker) skip(n int) { u.b, u.s = u.b[n:], u.s[n:] }
