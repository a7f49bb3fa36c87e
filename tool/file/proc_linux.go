package file

import "golang.org/x/sys/unix"

// ofProcesses reports whether path, links followed, is in a file system that
// shows processes. Those files are read with the rights of this process and
// hold its environment, keys included; a command in the sandbox sees none of it.
func ofProcesses(path string) bool {
	var st unix.Statfs_t
	return unix.Statfs(path, &st) == nil && int64(st.Type) == unix.PROC_SUPER_MAGIC
}
