package rollout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"github.com/longrein/longrein"
)

// fence returns lines that take exactly the place of those of a stretch from an
// index on: a warning for each record, or for the first an empty thread record.
// The last one's sum is the one that the next line follows, so that nothing behind
// has to change, neither sums nor back-references nor forks. It returns nothing
// when there is not enough room.
func (d *stretch) fence(from int, id string, at time.Time) []byte {
	records := d.next - d.seq - 1
	if d.next == 0 || records < 1 {
		return nil
	}
	var out []byte
	before := d.before
	for n := range records {
		size := (len(d.text) - from - len(out)) / int(records-n)
		seq := d.seq + 1 + n
		body := post(size-sumLength-1, header{seq, at, ""}, id)
		if body == nil {
			return nil
		}
		sum := before.next(body)
		if n == records-1 {
			if sum = d.after; !force(body, before, sum) {
				return nil
			}
		}
		before = sum
		out = appendSum(append(out, body...), sum)
	}
	return out
}

// post returns the body of one line of a fence, of a size in bytes. It ends with
// letters that force may change.
func post(size int, h header, id string) []byte {
	said := fmt.Sprintf("Record %d could not be read and is lost. The log as it was is kept beside this one.", h.seq)
	var payload any = longrein.Warning{Text: said}
	if h.kind = warningType; h.seq == 1 {
		payload, h.kind = longrein.Thread{ID: id, Format: longrein.LogFormat}, threadType
	}
	start, err1 := h.append(nil)
	whole, err2 := json.Marshal(payload)
	if err1 != nil || err2 != nil {
		return nil
	}
	const pad, end = `"pad":"`, `"}`
	body := slices.Concat(start, whole[:len(whole)-1], []byte(","+pad))
	room := size - len(body) - letters - len(end)
	if room < 0 && h.kind == warningType {
		body = slices.Concat(start, []byte("{"+pad)) // there is no room for words
		room = size - len(body) - letters - len(end)
	}
	if room < 0 {
		return nil
	}
	body = append(body, bytes.Repeat([]byte{' '}, room)...)
	body = append(body, bytes.Repeat([]byte{'@'}, letters)...)
	return append(body, end...)
}

var (
	warningType = longrein.Record{Body: longrein.Warning{}}.Type()
	threadType  = longrein.Record{Body: longrein.Thread{}}.Type()
)

// letters is how many letters force chooses: each of '@' to 'O' or '`' to 'o', so
// that five bits of it are free.
const letters = 8

// free are those bits.
var free = [5]byte{1, 2, 4, 8, 32}

// force chooses the letters before the last two bytes of body so that its sum is
// want. A CRC changes with each bit on its own, so it is a system of equations.
func force(body []byte, before, want sum) bool {
	last := len(body) - len(`"}`) - letters
	crc := crc32.Update(crc32.Checksum(before[:], castagnoli), castagnoli, body[:last])
	tail := body[last:]
	now := crc32.Update(crc, castagnoli, tail)
	var eq equations
	for i := range len(free) * letters {
		at, bit := &tail[i/len(free)], free[i%len(free)]
		*at ^= bit
		eq.add(crc32.Update(crc, castagnoli, tail)^now, 1<<i)
		*at ^= bit
	}
	bits, ok := eq.solve(now ^ want.value())
	for i := range len(free) * letters {
		if bits>>i&1 == 1 {
			tail[i/len(free)] ^= free[i%len(free)]
		}
	}
	return ok
}

// equations are changes of a checksum, by their highest bit, with the bits that
// bring them about.
type equations [32]struct {
	change uint32
	bits   uint64
}

// add takes one more change, unless others together bring it about.
func (e *equations) add(change uint32, bits uint64) {
	for b := 31; b >= 0 && change != 0; b-- {
		if change>>b&1 == 0 {
			continue
		}
		if e[b].change == 0 {
			e[b].change, e[b].bits = change, bits
			return
		}
		change, bits = change^e[b].change, bits^e[b].bits
	}
}

// solve returns the bits that together change the checksum by want.
func (e *equations) solve(want uint32) (bits uint64, ok bool) {
	for b := 31; b >= 0; b-- {
		if want>>b&1 == 1 {
			want, bits = want^e[b].change, bits^e[b].bits
		}
	}
	return bits, want == 0
}
