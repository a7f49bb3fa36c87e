package rollout

import (
	"hash/maphash"
	"maps"
)

// repeats remembers where in the file values stand, by their hash. It holds a
// bounded number of them and forgets those that were not used for longest: when
// the young half is full it becomes the old one, and what is asked for moves
// back.
type repeats struct {
	seed       maphash.Seed
	young, old map[uint64]place
	half       int
}

func newRepeats(size int) *repeats {
	return &repeats{seed: maphash.MakeSeed(), young: map[uint64]place{}, half: max(1, size/2)}
}

func (r *repeats) hash(value []byte) uint64 { return maphash.Bytes(r.seed, value) }

// get returns a place that may hold the value with this hash.
func (r *repeats) get(h uint64) (place, bool) {
	if p, ok := r.young[h]; ok {
		return p, true
	}
	p, ok := r.old[h]
	if ok {
		r.put(h, p)
	}
	return p, ok
}

func (r *repeats) put(h uint64, p place) {
	if len(r.young) >= r.half {
		r.old, r.young = r.young, make(map[uint64]place)
	}
	r.young[h] = p
}

// forget drops what was remembered of the file from off on.
func (r *repeats) forget(off int64) {
	gone := func(_ uint64, p place) bool { return p.off >= off }
	maps.DeleteFunc(r.young, gone)
	maps.DeleteFunc(r.old, gone)
}

// learn remembers what stands in full in payload, which is as it stands in the
// file at off.
func (r *repeats) learn(payload []byte, off int64) {
	for _, s := range spans(payload) {
		value := payload[s.start:s.end]
		if nextMark(value) < 0 {
			r.put(r.hash(value), place{off + int64(s.start), len(value)})
		}
	}
}
