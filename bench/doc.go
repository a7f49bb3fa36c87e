// Package bench measures the whole program, as opposed to the benchmarks beside
// each package: what a step costs from the end of a response to the next
// request, how soon a started process sends its first request, how much memory a
// long task takes. It holds benchmarks only; docs/benchmarks.md has results.
package bench
