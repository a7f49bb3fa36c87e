package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// word as the first argument makes the program confine itself and become the
// command that follows.
const word = "__longrein_sandbox"

// entered tells that Main was called, so that starting this program again with
// word ends there and nowhere else.
var entered atomic.Bool

// Main must be called before anything else in the main function of a program
// that uses this package. It returns at once, unless the program was started to
// become a confined command: then it does not return.
func Main() {
	entered.Store(true)
	if len(os.Args) < 4 || os.Args[1] != word {
		return
	}
	runtime.LockOSThread() // what follows is a thread's own, and exec keeps it
	err := become(os.Args[2], os.Args[3:])
	fmt.Fprintln(os.Stderr, "longrein sandbox:", err)
	os.Exit(126)
}

func become(told string, argv []string) error {
	var c confinement
	if err := json.Unmarshal([]byte(told), &c); err != nil {
		return err
	}
	if err := c.apply(); err != nil {
		return err
	}
	program, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	return fmt.Errorf("start %s: %w", program, unix.Exec(program, argv, os.Environ()))
}

func (c confinement) apply() error {
	if c.Mounts {
		if err := c.mount(); err != nil {
			return err
		}
	}
	if err := os.Chdir(c.Dir); err != nil {
		return err
	}
	if err := dropCapabilities(); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	if err := c.landlock(landlockVersion()); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	return c.filter(landlockVersion())
}

// Rights that change something. Reading stays free, so it is not handled.
const (
	fileRights = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	makeRights = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	neverRights = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
)

// handled returns the rights that the kernel's version of Landlock knows.
func handled(abi int) uint64 {
	rights := uint64(fileRights | makeRights | neverRights)
	for _, since := range []struct {
		abi   int
		right uint64
	}{{2, unix.LANDLOCK_ACCESS_FS_REFER}, {3, unix.LANDLOCK_ACCESS_FS_TRUNCATE}, {9, unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX}} {
		if abi < since.abi {
			rights &^= since.right
		}
	}
	return rights
}

func (c confinement) landlock(abi int) error {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled(abi)}
	size := unsafe.Sizeof(attr.Handled_access_fs)
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
		size = unsafe.Offsetof(attr.Scoped) + unsafe.Sizeof(attr.Scoped)
	}
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("make ruleset: %w", errno)
	}
	defer unix.Close(int(set))
	paths, err := c.writable()
	if err != nil {
		return err
	}
	for _, p := range paths {
		if err := grant(int(set), p, attr.Handled_access_fs); err != nil {
			return fmt.Errorf("rule for %s: %w", p, err)
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); errno != 0 {
		return fmt.Errorf("restrict: %w", errno)
	}
	return nil
}

// devices take writes without keeping them.
var devices = []string{
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts",
}

func (c confinement) writable() ([]string, error) {
	out := append(append([]string{}, devices...), c.Hide...)
	if c.Mounts || len(c.Roots) > 0 {
		out = append(out, "/dev/shm")
	}
	guards := c.Guards
	if c.Mounts {
		guards = nil // they are mounted read-only
	}
	for _, root := range c.Roots {
		paths, err := grants(root, guards)
		if err != nil {
			return nil, err
		}
		out = append(out, paths...)
	}
	return out, nil
}

// grant allows everything that changes path and what is below it. A path that
// is gone needs no rule.
func grant(set int, path string, handled uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	rights := handled & (fileRights | makeRights)
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// dropCapabilities gives up what the mounts needed and what root could leave the
// sandbox with. Access to files of others stays: the rules bound it.
func dropCapabilities() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	for c := range uintptr(unix.CAP_LAST_CAP + 1) {
		switch c {
		case unix.CAP_DAC_OVERRIDE, unix.CAP_CHOWN, unix.CAP_FOWNER:
			continue
		}
		err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		if errors.Is(err, unix.EPERM) && os.Geteuid() != 0 {
			return nil // a plain user has none to drop
		}
		if err != nil && !errors.Is(err, unix.EINVAL) {
			return err
		}
	}
	return nil
}
