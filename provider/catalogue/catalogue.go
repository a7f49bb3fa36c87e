// Package catalogue knows the models of the usual providers: how long their
// windows are, what they cost, how hard they can think. It works offline, from
// a table inside the program that is made from the catwalk catalogue, and is as
// old as [Version] says; settings override it. It does not know which models an
// account may use, nor local ones. The central type is [Info].
package catalogue

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/longrein/longrein"
)

// Info is what is known of a model. A number that is not known is 0.
type Info struct {
	Provider      string // whose model this is
	ID            string // as the provider writes it
	ContextWindow int    // tokens of input and output together
	MaxOutput     int    // tokens
	Price         longrein.Price
	CanReason     bool
	Effort        string   // the provider's default of how hard to think
	Efforts       []string // what can be chosen, from least to most
}

// none is how the table writes a field without a value.
const none = "-"

// table holds a line "@ provider" before the lines of each provider, and in
// those the fields of a model, separated by tabs. It is searched as it is:
// parsing 1,500 models would cost more time than a program has to start.
//
//go:embed models.tsv
var table string

// Lookup returns what is known of a provider's model. The model's id may lack a
// vendor ("openai/") or have one too many, carry a date or not, and write
// versions with dots or dashes; an exact id goes first. For a provider that the
// catalogue lacks, such as a proxy of one's own, it returns the first provider
// that has the model, but no price, which depends on who serves it.
func Lookup(provider, model string) (Info, bool) {
	if model == "" {
		return Info{}, false
	}
	section, known := sectionOf(strings.ToLower(provider))
	if known {
		return find(section, provider, model)
	}
	info, ok := find(table, "", model)
	info.Price = longrein.Price{}
	return info, ok
}

// Version says which edition of the catalogue this is, and of what day.
func Version() string {
	first, _, _ := strings.Cut(table, "\n")
	return strings.TrimPrefix(first, "# ")
}

func sectionOf(provider string) (string, bool) {
	_, rest, ok := strings.Cut(table, "\n@ "+provider+"\n")
	section, _, _ := strings.Cut(rest, "\n@ ")
	return section, ok && provider != ""
}

// find looks through lines of the table, which belong to provider until a line
// says otherwise.
func find(lines, provider, model string) (Info, bool) {
	want, loose := key(model), Info{}
	for line := range strings.SplitSeq(lines, "\n") {
		if p, ok := strings.CutPrefix(line, "@ "); ok {
			provider = p
			continue
		}
		id, rest, ok := strings.Cut(line, "\t")
		switch {
		case !ok:
		case id == model:
			return parse(provider, id, rest), true
		case loose.ID == "" && key(id) == want:
			loose = parse(provider, id, rest)
		}
	}
	return loose, loose.ID != ""
}

// key is what ids that mean the same model have in common.
func key(id string) string {
	id = strings.ToLower(id[strings.LastIndexByte(id, '/')+1:])
	id = strings.TrimSuffix(withoutDate(id), "-latest")
	return strings.ReplaceAll(id, ".", "-")
}

// withoutDate takes -20251101, @20251101 or -2025-11-01 off the end of id.
func withoutDate(id string) string {
	for _, form := range []string{"-dddddddd", "@dddddddd", "-dddd-dd-dd"} {
		if at := len(id) - len(form); at > 0 && fits(id[at:], form) {
			return id[:at]
		}
	}
	return id
}

func fits(text, form string) bool {
	for i := range len(form) {
		digit := '0' <= text[i] && text[i] <= '9'
		if form[i] == 'd' && !digit || form[i] != 'd' && text[i] != form[i] {
			return false
		}
	}
	return true
}

// parse reads the fields after the id; the table's test makes sure that they
// can be read.
func parse(provider, id, rest string) Info {
	f := strings.Split(rest, "\t")
	info := Info{
		Provider: provider, ID: id,
		ContextWindow: int(number(f[0])), MaxOutput: int(number(f[1])),
		Price:     longrein.Price{Input: number(f[2]), Cached: number(f[3]), CacheWrite: number(f[4]), Output: number(f[5])},
		CanReason: f[6] == "reasons",
	}
	if f[7] != none {
		info.Effort = f[7]
	}
	if f[8] != none {
		info.Efforts = strings.Split(f[8], ",")
	}
	return info
}

func number(s string) float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("catalogue: %q is no number", s))
	}
	return n
}
