package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush throws away what was typed before now: it cannot be meant for a question
// that nobody had seen.
func flush(keyboard *os.File) {
	_ = unix.IoctlSetInt(int(keyboard.Fd()), unix.TCFLSH, unix.TCIFLUSH) // no terminal, nothing typed
}
