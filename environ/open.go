package environ

import (
	"os"
	"syscall"
)

// openFile opens an ordinary file and returns its size. Anything else is an
// error at once: opening or reading a pipe or a device could wait for ever.
func openFile(name string) (*os.File, int64, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: name, Err: errSpecial(info.Mode())}
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// errSpecial says that a file is no ordinary one.
type errSpecial os.FileMode

func (e errSpecial) Error() string {
	switch mode := os.FileMode(e); {
	case mode.IsDir():
		return "it is a folder"
	case mode&os.ModeNamedPipe != 0:
		return "it is a named pipe"
	case mode&os.ModeSocket != 0:
		return "it is a socket"
	}
	return "it is a device"
}
