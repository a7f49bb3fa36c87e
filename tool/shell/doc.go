// Package shell runs shell commands so that they end: on time, when told to, and
// with everything that they started. [Command] is one run and [Result] how it
// ended; [Env] is the environment it gets, without secrets; [ReadOnly] tells
// commands that are known to change nothing, and [Files] which files a command names.
//
// It knows no models and asks nobody: package tool decides what may run, package
// sandbox holds it to rules, package output keeps what it prints.
package shell
