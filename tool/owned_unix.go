//go:build unix

package tool

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether the file is this user's. Modes alone do not tell, for
// root in particular, who may write to everybody's folders.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
