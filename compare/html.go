package compare

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
)

//go:embed page.html
var pageSource string

var page = template.Must(template.New("page").Parse(pageSource))

// WriteHTML writes one page that needs nothing else: for each session its results
// as tables, and curves of context size and cost over the steps. Results of one
// session stand in a row.
func WriteHTML(w io.Writer, results [][]*Result) error {
	var sections []section
	for i, rs := range results {
		if len(rs) > 0 {
			sections = append(sections, sectionOf(i+1, rs))
		}
	}
	if err := page.Execute(w, sections); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// section is one session's part of the page.
type section struct {
	N          int
	Title      string
	About      []string
	Strategies []string
	Groups     []pageGroup
	Charts     []chart
	Resets     []pageReset
	Notes      []string
}

type pageGroup struct {
	Title string
	Rows  []pageRow
}

type pageRow struct {
	Label string
	Part  bool
	Cells []string
}

type pageReset struct {
	Strategy string
	Began
}

func sectionOf(n int, rs []*Result) section {
	s := section{
		N: n, Title: rs[0].Session, About: about(rs[0]), Strategies: names(rs), Notes: notes(rs),
		Charts: []chart{contextChart(rs), costChart(rs)},
	}
	for _, g := range rows {
		group := pageGroup{Title: g.Title}
		for _, row := range g.Rows {
			group.Rows = append(group.Rows, pageRow{row.Label, row.Part, values(row, rs)})
		}
		s.Groups = append(s.Groups, group)
	}
	for _, r := range rs {
		for _, b := range r.Resets {
			s.Resets = append(s.Resets, pageReset{r.Strategy, b})
		}
	}
	return s
}

// The chart's room, in the units of its picture.
const (
	chartWidth  = 920
	chartHeight = 300
	chartLeft   = 72
	chartRight  = 28
	chartTop    = 12
	chartBottom = 40
)

// chart is a picture of one quantity over the steps.
type chart struct {
	Title, Alt    string
	Width, Height int
	Left, Base    int // of the axes
	Right, Top    int
	Ticks         []tick // of the vertical axis
	Steps         []tick // of the horizontal one
	Curves        []curve
	Limit         float64 // where the model's window ends, 0 for nowhere
}

type tick struct {
	At   float64
	Text string
}

// curve is one strategy's.
type curve struct {
	Name   string
	Class  int // of its colour and dashes
	Path   string
	Resets []float64 // where windows began
	Y      float64   // of its marks: where they begin
	Foot   float64   // and end
}

func contextChart(rs []*Result) chart {
	top := 0.0
	for _, r := range rs {
		top = max(top, float64(r.Peak))
	}
	window := float64(rs[0].Window)
	near := window > 0 && window <= 1.6*top
	if near {
		top = window
	}
	c := newChart("Context size in tokens, with the beginnings of windows", rs, top, func(v float64) string { return short(v) })
	for i, r := range rs {
		cur := c.curve(i, r, func(p Point) float64 { return float64(p.Tokens) })
		for _, b := range r.Resets {
			cur.Resets = append(cur.Resets, c.x(float64(b.Step), r.Recorded))
		}
		c.Curves = append(c.Curves, cur)
	}
	if near {
		c.Limit = c.y(window)
	}
	return c.chart
}

func costChart(rs []*Result) chart {
	top := 0.0
	for _, r := range rs {
		top = max(top, r.Cost)
	}
	c := newChart("Cost so far in US dollars, forks included", rs, top, func(v float64) string { return fmt.Sprintf("$%.*f", decimals(top), v) })
	for i, r := range rs {
		c.Curves = append(c.Curves, c.curve(i, r, func(p Point) float64 { return p.Cost }))
	}
	return c.chart
}

func decimals(top float64) int {
	if top <= 0 {
		return 0
	}
	return min(max(2-int(math.Floor(math.Log10(top))), 0), 6)
}

// plot is a chart with its scale.
type plot struct {
	chart
	top float64
}

func newChart(title string, rs []*Result, top float64, text func(float64) string) plot {
	c := plot{top: rounded(top), chart: chart{
		Title: title, Width: chartWidth, Height: chartHeight, Left: chartLeft,
		Base: chartHeight - chartBottom, Right: chartWidth - chartRight, Top: chartTop,
	}}
	steps := rs[0].Recorded
	for i := range 5 {
		v := c.top * float64(i) / 4
		c.Ticks = append(c.Ticks, tick{c.y(v), text(v)})
		n := math.Round(1 + float64(steps-1)*float64(i)/4)
		c.Steps = append(c.Steps, tick{c.x(n, steps), whole(int64(n))})
	}
	c.Steps[0].Text = "step 1"
	var ends []string
	for _, r := range rs {
		if n := len(r.Points); n > 0 {
			ends = append(ends, fmt.Sprintf("%s: %d windows, peak %s tokens, $%.4f", r.Strategy, r.Windows, whole(int64(r.Peak)), r.Cost))
		}
	}
	c.Alt = title + " over " + whole(int64(steps)) + " steps. " + strings.Join(ends, ". ") + ". The tables hold the numbers."
	return c
}

// rounded is the next number with one or two digits that is not smaller.
func rounded(v float64) float64 {
	if v <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10} {
		if f*unit >= v {
			return f * unit
		}
	}
	return 10 * unit
}

func (c *plot) x(step float64, steps int) float64 {
	return fixed(chartLeft + (chartWidth-chartLeft-chartRight)*(step-1)/float64(max(steps-1, 1)))
}

func (c *plot) y(v float64) float64 {
	return fixed(float64(chartHeight-chartBottom) - float64(chartHeight-chartBottom-chartTop)*v/c.top)
}

func fixed(v float64) float64 { return math.Round(v*10) / 10 }

// curve draws a result's points. Of several in one column of the picture the
// lowest and the highest are drawn, in their order, so that no reset is lost.
func (c *plot) curve(i int, r *Result, value func(Point) float64) curve {
	cur := curve{Name: r.Strategy, Class: i % 6, Y: float64(chartHeight-chartBottom-2) - 8*float64(i%6)}
	cur.Foot = cur.Y - 6
	var b strings.Builder
	draw := func(p Point) {
		op := "L"
		if b.Len() == 0 {
			op = "M"
		}
		fmt.Fprintf(&b, "%s%.1f %.1f", op, c.x(float64(p.Step), r.Recorded), c.y(value(p)))
	}
	for from := 0; from < len(r.Points); {
		low, high, to := from, from, from
		column := math.Floor(c.x(float64(r.Points[from].Step), r.Recorded))
		for ; to < len(r.Points) && math.Floor(c.x(float64(r.Points[to].Step), r.Recorded)) == column; to++ {
			if value(r.Points[to]) < value(r.Points[low]) {
				low = to
			}
			if value(r.Points[to]) >= value(r.Points[high]) {
				high = to
			}
		}
		draw(r.Points[min(low, high)])
		if low != high {
			draw(r.Points[max(low, high)])
		}
		from = to
	}
	cur.Path = b.String()
	return cur
}

// short writes a number of tokens for an axis.
func short(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%gM", math.Round(v/1e4)/100)
	case v >= 1e3:
		return fmt.Sprintf("%gk", math.Round(v/1e2)/10)
	}
	return fmt.Sprintf("%g", math.Round(v))
}
