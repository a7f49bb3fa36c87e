//go:build unix

package output

import "os"

// unlink takes the file's name away at once, so that nothing is left behind
// however the program ends.
func unlink(f *os.File) { _ = os.Remove(f.Name()) }
