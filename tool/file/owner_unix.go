//go:build unix

package file

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner of the one it replaces, where allowed.
func keepOwner(root *os.Root, name string, info fs.FileInfo) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = root.Chown(name, int(st.Uid), int(st.Gid))
	}
}
