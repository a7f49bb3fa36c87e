package skill

import (
	"io"
	"os"
	"syscall"
)

// readStart returns at most so many bytes from the start of an ordinary file, and its
// size. Anything else is an error at once: a pipe or a device could be waited for, for ever.
func readStart(name string, most int) (raw []byte, size int64, err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &os.PathError{Op: "read", Path: name, Err: notOrdinary(info.Mode())}
	}
	raw = make([]byte, min(int64(most), info.Size()+1))
	n, err := io.ReadFull(f, raw)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return raw[:n], info.Size(), err
}

// notOrdinary says that a file is no ordinary one.
type notOrdinary os.FileMode

// Error says what it is instead.
func (m notOrdinary) Error() string {
	switch mode := os.FileMode(m); {
	case mode.IsDir():
		return "it is a folder and has to be a file"
	case mode&os.ModeNamedPipe != 0:
		return "it is a named pipe and has to be an ordinary file"
	}
	return "it has to be an ordinary file"
}
