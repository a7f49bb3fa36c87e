// Package output keeps what a program prints within bounds. A [Capture] takes
// output of any length in little memory; its [View] is what a model gets to
// see: all of it, or head and tail at line ends with a note of what lies
// between. [Clean] and [Prefix] do the same for text that is at hand.
//
// It decides nothing about limits: callers pass numbers in and say what was cut.
package output
