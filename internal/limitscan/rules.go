package limitscan

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode"
)

// rule judges a node: what a number in it does, or nothing.
type rule func(s *scanner, n ast.Node) (what string, value number)

// rules are the forms in which numbers cut, drop, refuse or delay.
var rules = []rule{cuts, clamps, shortenings, guards, loops, readers, delays, timeouts, channels, scanners, names}

// small is below what is counted as a cut: formats have such numbers.
const small = 8

// cuts finds s[:5000], s[5000:] and s[len(s)-5000:].
func cuts(s *scanner, n ast.Node) (string, number) {
	e, ok := n.(*ast.SliceExpr)
	if !ok {
		return "", number{}
	}
	for _, bound := range []ast.Expr{e.Low, e.High} {
		if diff, ok := bound.(*ast.BinaryExpr); ok && diff.Op == token.SUB {
			bound = diff.Y
		}
		if v, ok := s.known.number(bound); ok && v.atLeast(small) {
			return "a slice is cut at a fixed length", v
		}
	}
	return "", number{}
}

// clamps finds min(n, 5000).
func clamps(s *scanner, n ast.Node) (string, number) {
	call, ok := n.(*ast.CallExpr)
	if !ok || nameOf(call.Fun) != "min" {
		return "", number{}
	}
	for _, a := range call.Args {
		if v, ok := s.known.number(a); ok && v.atLeast(small) {
			return "a number is kept below a fixed one", v
		}
	}
	return "", number{}
}

// shortenings finds clip(s, 5000), by what such functions are called.
func shortenings(s *scanner, n ast.Node) (string, number) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return "", number{}
	}
	name := words(nameOf(call.Fun))
	if !slices.ContainsFunc(name, func(w string) bool { return slices.Contains(shorteners, w) }) {
		return "", number{}
	}
	if v, ok := s.known.number(call.Args[len(call.Args)-1]); ok && v.atLeast(small) && !v.time {
		return "a text is shortened to a fixed length", v
	}
	return "", number{}
}

var shorteners = strings.Fields("clip clipped cut truncate truncated trim shorten shortened abbreviate excerpt preview head tail escaped ellipsis")

// guards finds if len(s) > 5000 and case n >= 5000.
func guards(s *scanner, n ast.Node) (string, number) {
	var conditions []ast.Expr
	switch n := n.(type) {
	case *ast.IfStmt:
		conditions = parts(n.Cond)
	case *ast.CaseClause:
		for _, e := range n.List {
			conditions = append(conditions, parts(e)...)
		}
	}
	for _, c := range conditions {
		if v, ok := s.exceeds(c, token.GTR, token.GEQ); ok {
			return "what is more than a fixed number is treated in another way", v
		}
	}
	return "", number{}
}

// loops finds for i < 5000.
func loops(s *scanner, n ast.Node) (string, number) {
	loop, ok := n.(*ast.ForStmt)
	if !ok {
		return "", number{}
	}
	for _, c := range parts(loop.Cond) {
		if v, ok := s.exceeds(c, token.LSS, token.LEQ); ok {
			return "a loop ends after a fixed number", v
		}
	}
	return "", number{}
}

// parts are what && and || join in a condition.
func parts(e ast.Expr) []ast.Expr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return parts(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			return append(parts(x.X), parts(x.Y)...)
		}
	}
	return []ast.Expr{e}
}

// exceeds reports whether c compares an amount with a number by one of ops, or
// the other way round.
func (s *scanner) exceeds(c ast.Expr, ops ...token.Token) (number, bool) {
	b, ok := c.(*ast.BinaryExpr)
	if !ok {
		return number{}, false
	}
	amount, bound, op := b.X, b.Y, b.Op
	if _, ok := s.known.number(amount); ok {
		amount, bound, op = b.Y, b.X, turned[b.Op]
	}
	v, ok := s.known.number(bound)
	switch {
	case !ok || !slices.Contains(ops, op) || !v.atLeast(small):
		return number{}, false
	case v.time && nameOf(amount) == "Since":
		return v, true
	}
	return v, isAmount(amount)
}

var turned = map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ}

// isAmount reports whether e reads as the size or the number of something.
func isAmount(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return isAmount(e.X)
	case *ast.BinaryExpr:
		return isAmount(e.X) || isAmount(e.Y)
	case *ast.CallExpr:
		if conversions[nameOf(e.Fun)] && len(e.Args) == 1 {
			return isAmount(e.Args[0])
		}
	}
	words := words(nameOf(e))
	return len(words) > 0 && slices.Contains(amounts, words[len(words)-1])
}

var amounts = strings.Fields("len cap size length count total bytes runes chars lines items entries rows files " +
	"depth tries attempts retries steps turns tokens read written seen used left n i string")

// readers finds io.LimitReader(r, 5000) and its kin.
func readers(s *scanner, n ast.Node) (string, number) {
	const what = "what is read ends after a fixed number of bytes"
	switch n := n.(type) {
	case *ast.CallExpr:
		if slices.Contains([]string{"LimitReader", "MaxBytesReader", "CopyN", "Peek", "NewSectionReader"}, nameOf(n.Fun)) {
			if v, ok := s.known.number(n.Args[len(n.Args)-1]); ok && v.atLeast(small) {
				return what, v
			}
		}
	case *ast.CompositeLit:
		if nameOf(n.Type) != "LimitedReader" {
			return "", number{}
		}
		for _, el := range n.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok && nameOf(kv.Key) == "N" {
				if v, ok := s.known.number(kv.Value); ok {
					return what, v
				}
			}
		}
	}
	return "", number{}
}

// waits are the functions that wait for as long as an argument says.
var waits = map[string]int{
	"Sleep": 0, "After": 0, "AfterFunc": 0, "NewTimer": 0, "NewTicker": 0, "Tick": 0, "Reset": 0, "WithTimeout": 1, "WithTimeoutCause": 1,
	"WithDeadline": 1, "SetDeadline": 0, "SetReadDeadline": 0, "SetWriteDeadline": 0, "DialTimeout": 2,
}

// delays finds time.Sleep(2 * time.Second) and context.WithTimeout(ctx, time.Minute).
func delays(s *scanner, n ast.Node) (string, number) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", number{}
	}
	at, ok := waits[nameOf(call.Fun)]
	if !ok || at >= len(call.Args) {
		return "", number{}
	}
	wait := call.Args[at]
	if add, ok := wait.(*ast.CallExpr); ok && nameOf(add.Fun) == "Add" && len(add.Args) == 1 {
		wait = add.Args[0]
	}
	if v, ok := s.known.number(wait); ok && v.time {
		return "a wait has a fixed length", v
	}
	return "", number{}
}

// timeouts finds Timeout: 5 * time.Second and c.IdleTimeout = time.Minute.
func timeouts(s *scanner, n ast.Node) (string, number) {
	var name string
	var value ast.Expr
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		name, value = nameOf(n.Key), n.Value
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
			name, value = nameOf(n.Lhs[0]), n.Rhs[0]
		}
	}
	if !named(name) && !strings.HasSuffix(strings.ToLower(name), "timeout") {
		return "", number{}
	}
	if v, ok := s.known.number(value); ok && (v.time || v.atLeast(small)) {
		return name + " has a fixed value", v
	}
	return "", number{}
}

// channels finds make(chan int, 512).
func channels(s *scanner, n ast.Node) (string, number) {
	call, ok := n.(*ast.CallExpr)
	if !ok || nameOf(call.Fun) != "make" || len(call.Args) != 2 {
		return "", number{}
	}
	if _, ok := call.Args[0].(*ast.ChanType); !ok {
		return "", number{}
	}
	if v, ok := s.known.number(call.Args[1]); ok && v.atLeast(2) {
		return "a channel holds a fixed number, and then its senders wait", v
	}
	return "", number{}
}

// scanners finds bufio scanners, whose lines end at 64 KiB unless Buffer says
// otherwise.
func scanners(s *scanner, n ast.Node) (string, number) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", number{}
	}
	switch name := nameOf(call.Fun); {
	case name == "Buffer" && len(call.Args) == 2:
		if v, ok := s.known.number(call.Args[1]); ok {
			return "a scanner's lines have a fixed length", v
		}
	case name == "NewScanner" && !s.buffered:
		return "a scanner without a Buffer of its own refuses lines of 64 KiB", number{}
	}
	return "", number{}
}

// names finds constants and variables that call themselves a bound.
func names(s *scanner, n ast.Node) (string, number) {
	spec, ok := n.(*ast.ValueSpec)
	if !ok {
		return "", number{}
	}
	for i, name := range spec.Names {
		if i >= len(spec.Values) {
			break
		}
		v, ok := s.known.number(spec.Values[i])
		if ok && (v.time || named(name.Name) && v.atLeast(2)) {
			return name.Name + " is a bound", v
		}
	}
	return "", number{}
}

// named reports whether a name says that it bounds something.
func named(name string) bool {
	words := words(name)
	return len(words) > 0 && (slices.Contains(bounds, words[0]) || slices.Contains(bounds, words[len(words)-1]))
}

var bounds = strings.Fields("max maximum limit limits most cap longest largest deepest cutoff budget timeout pause tries retries attempts")

// words are the words of a name in camel case, in lower case.
func words(name string) []string {
	var out []string
	start := 0
	for i, r := range name {
		if i > start && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			out, start = append(out, strings.ToLower(name[start:i])), i
		}
	}
	if start < len(name) {
		out = append(out, strings.ToLower(name[start:]))
	}
	return out
}
