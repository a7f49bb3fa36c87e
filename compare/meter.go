package compare

import (
	"math"
	"slices"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/assemble"
)

// Estimate says how well the token estimate fits what the provider counted while
// the session was recorded.
type Estimate struct {
	Reported int `json:"reported"` // requests whose input the provider counted
	// Scale is how many tokens the provider counts for one of the estimate, 1 when
	// it reported nothing. What it counts beside the recorded items, such as
	// instructions that were not recorded, has no part in it.
	Scale float64 `json:"scale"`
	// Mean and P95 are by how much the estimate of a request's input was wrong, as
	// a share of it: what was reported for the request before and the estimate of
	// what has come since. Plain is the same by the estimate alone.
	Mean  float64 `json:"mean"`
	P95   float64 `json:"p95"`
	Plain float64 `json:"plain"`
}

// meter estimates recorded requests the way package assemble does.
type meter struct {
	raw     int // estimate of the window as it stands
	asked   int // of the request that is out
	sent    int // of the last one that was counted
	actual  int // what it was counted as
	slopes  []float64
	missed  []float64
	plain   []float64
	ratio   float64
	first   [2]int // estimate and count of the window's first counted request
	newest  [2]int // and of its last
	counted int
}

func (m *meter) begin(base string, w longrein.Window) {
	m.slope()
	m.raw, m.actual, m.first, m.newest = sizeOfHead(base, w.Settings.Tools), 0, [2]int{}, [2]int{}
	for _, e := range w.Head {
		m.raw += assemble.Size(e)
	}
}

func (m *meter) add(e longrein.Entry) { m.raw += assemble.Size(e) }

// ask notes a request. Items that follow belong to its answer.
func (m *meter) ask() { m.asked = m.raw }

func (m *meter) answered(u longrein.Usage) {
	if !u.Reported || u.Input <= 0 || m.asked <= 0 {
		return
	}
	input := int(u.Input)
	m.counted++
	m.plain = append(m.plain, off(float64(m.asked), input))
	if m.actual > 0 {
		m.missed = append(m.missed, off(float64(m.actual)+m.ratio*float64(m.asked-m.sent), input))
	}
	m.sent, m.actual = m.asked, input
	m.ratio = min(max(float64(input)/float64(m.asked), 0.5), 2)
	m.newest = [2]int{m.asked, input}
	if m.first == [2]int{} {
		m.first = m.newest
	}
}

func off(estimate float64, count int) float64 {
	return math.Abs(estimate-float64(count)) / float64(count)
}

// slope notes how the provider's count grew with the estimate in a window.
func (m *meter) slope() {
	grown := m.newest[0] - m.first[0]
	if grown > 1_000 {
		m.slopes = append(m.slopes, float64(m.newest[1]-m.first[1])/float64(grown))
	}
}

func (m *meter) estimate() Estimate {
	m.slope()
	e := Estimate{Reported: m.counted, Scale: 1}
	if len(m.slopes) > 0 {
		slices.Sort(m.slopes)
		e.Scale = min(max(m.slopes[len(m.slopes)/2], 0.5), 2)
	}
	e.Mean, e.P95 = spread(m.missed)
	e.Plain, _ = spread(m.plain)
	return e
}

// spread returns the mean and what 95 of 100 do not exceed.
func spread(values []float64) (mean, p95 float64) {
	if len(values) == 0 {
		return 0, 0
	}
	slices.Sort(values)
	for _, v := range values {
		mean += v
	}
	return mean / float64(len(values)), values[min(len(values)*95/100, len(values)-1)]
}

func sizeOfHead(base string, tools []longrein.ToolSpec) int {
	n := assemble.Size(longrein.Entry{Item: longrein.Message{Text: base}})
	for _, t := range tools {
		n += assemble.Size(longrein.Entry{Item: longrein.ToolCall{Name: t.Name, Args: string(t.Schema)}}) + assemble.Tokens(t.Description)
	}
	return n
}

func sizeOf(items []longrein.Item) (n int64) {
	for _, it := range items {
		n += int64(assemble.Size(longrein.Entry{Item: it}))
	}
	return n
}
