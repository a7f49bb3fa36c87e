// Package local finds model servers on this machine and says how they want to
// be spoken to. [Find] looks at the usual ports, [Identify] at one base URL;
// both return [Found]: what kind of server it is, its dialect, and its models
// with the context windows that it gives them. [DialectFor] guesses a dialect
// from the host alone, for servers elsewhere. The package asks no model anything
// and starts no server.
package local
