package session

import (
	"cmp"
	"hash/maphash"
)

// tree holds how the lines of a file follow each other, where each names the one
// before it. A user who goes back makes a branch: the newest is the session, the
// others were abandoned.
type tree struct {
	seed  maphash.Seed
	ids   map[uint64]int32
	nodes []node
}

type node struct {
	parent uint64 // hash of the parent's id, 0 for none
	root   int32  // the first line of its chain, as far as it was read before
	prompt bool   // the user's words
	rewind bool   // goes back to its parent
	dead   fate
	taken  bool
}

type fate uint8

const (
	undecided fate = iota
	deciding
	alive
	abandoned
)

func newTree() *tree { return &tree{seed: maphash.MakeSeed(), ids: map[uint64]int32{}} }

func (t *tree) hash(id string) uint64 {
	if id == "" {
		return 0
	}
	return max(maphash.String(t.seed, id), 1)
}

// add notes a line; it returns its node. A line with an id that was there before
// belongs to the same node.
func (t *tree) add(id, parent string) int32 {
	h := t.hash(id)
	if n, ok := t.ids[h]; ok && h != 0 {
		return n
	}
	n := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{parent: t.hash(parent), root: n})
	if p := t.parent(n); p >= 0 {
		t.nodes[n].root = t.nodes[p].root
	}
	if h != 0 {
		t.ids[h] = n
	}
	return n
}

// parent returns a node's parent, -1 for none.
func (t *tree) parent(n int32) int32 {
	h := t.nodes[n].parent
	p, ok := t.ids[h]
	if h == 0 || !ok {
		return -1
	}
	return p
}

// prune decides which nodes were abandoned: of several prompts that follow the
// same line all but the last, and everything beside a rewind before it, each with
// what follows.
func (t *tree) prune() {
	newest := map[int32]int32{} // parent to its last prompt
	rewind := map[int32]int32{} // parent to its last rewind
	for i := range t.nodes {
		p := t.parent(int32(i))
		if p >= 0 && t.nodes[i].prompt {
			newest[p] = int32(i)
		}
		if p >= 0 && t.nodes[i].rewind {
			rewind[p] = int32(i)
		}
	}
	left := func(i int32) bool {
		p := t.parent(i)
		prompt, ok := newest[p]
		back, went := rewind[p]
		return p >= 0 && (ok && t.nodes[i].prompt && i != prompt || went && i < back)
	}
	for i := range t.nodes {
		t.decide(int32(i), left)
	}
}

// decide settles a node and those above it.
func (t *tree) decide(n int32, left func(int32) bool) {
	var path []int32
	f := alive
	for n >= 0 {
		if d := t.nodes[n].dead; d == alive || d == abandoned {
			f = d
			break
		} else if d == deciding { // a ring
			break
		}
		t.nodes[n].dead = deciding
		path = append(path, n)
		n = t.parent(n)
	}
	for i := len(path) - 1; i >= 0; i-- {
		if left(path[i]) {
			f = abandoned
		}
		t.nodes[path[i]].dead = f
	}
}

func (t *tree) abandoned(n int32) bool { return n >= 0 && t.nodes[n].dead == abandoned }

// abandonedBranch is the kind of lines that a user went back from.
const abandonedBranch = "abandoned branch"

// abandoned are the moments that the user went back from.
func (s *Session) abandoned(t *tree) (gone []Moment) {
	for _, m := range s.Moments {
		if t.abandoned(m.node) {
			gone = append(gone, m)
		}
	}
	return gone
}

// dropAbandoned takes what was abandoned out of sessions and counts.
func (t *tree) dropAbandoned(tally *tally, sessions []*Session) {
	t.prune()
	n := 0
	for _, node := range t.nodes {
		if node.dead == abandoned && node.taken {
			n++
		}
	}
	if n == 0 {
		return
	}
	tally.drop(abandonedBranch, n)
	for _, s := range sessions {
		tally.keepMoments(abandonedBranch, s.abandoned(t))
		s.keep(func(m Moment) bool { return !t.abandoned(m.node) })
		s.Model = cmp.Or(s.firstModel(), s.Model)
	}
}

func (s *Session) firstModel() string {
	for _, m := range s.Moments {
		if step, ok := m.What.(*Step); ok && step.Model != "" {
			return step.Model
		}
	}
	return ""
}

// keep leaves out moments; places that others refer to move along.
func (s *Session) keep(wanted func(Moment) bool) {
	moved := make([]int, len(s.Moments)+1)
	var kept []Moment
	for i, m := range s.Moments {
		moved[i] = len(kept)
		if wanted(m) {
			kept = append(kept, m)
		}
	}
	moved[len(s.Moments)] = len(kept)
	for i, m := range kept {
		if c, ok := m.What.(Compaction); ok && c.From >= 0 {
			c.From = moved[min(c.From, len(s.Moments))]
			kept[i].What = c
		}
	}
	s.Moments = kept
}
