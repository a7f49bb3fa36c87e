package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// mount makes the child's own view of the files: all read-only, the roots
// writable, the guards read-only again. It also brings up the loopback
// interface of the child's own network.
func (c confinement) mount() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keep mounts apart: %w", err)
	}
	for _, root := range c.Roots {
		if err := bind(root, root); err != nil {
			return err
		}
	}
	if err := setReadOnly("/", true); err != nil {
		return err
	}
	for _, root := range c.Roots {
		if err := setReadOnly(root, false); err != nil {
			return err
		}
	}
	for _, g := range c.Guards {
		if err := bind(g, g); err != nil {
			return err
		}
		if err := setReadOnly(g, true); err != nil {
			return err
		}
	}
	for _, p := range c.Doors {
		if err := bind("/dev/null", p); err != nil {
			return err
		}
	}
	if err := c.privateFolders(); err != nil {
		return err
	}
	if c.Network {
		return nil
	}
	return loopback()
}

// privateFolders lays empty folders over Hide, and what Show names back in.
func (c confinement) privateFolders() error {
	shown := make([]int, len(c.Show))
	for i, p := range c.Show {
		fd, err := unix.Open(p, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open %s: %w", p, err)
		}
		defer unix.Close(fd)
		shown[i] = fd
	}
	for _, p := range append([]string{"/dev/shm"}, c.Hide...) {
		err := unix.Mount("tmpfs", p, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777")
		if err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("private %s: %w", p, err)
		}
	}
	for i, p := range c.Show {
		if err := os.MkdirAll(p, 0o755); err != nil {
			return err
		}
		if err := bind(fmt.Sprintf("/proc/self/fd/%d", shown[i]), p); err != nil {
			return err
		}
		if err := setReadOnly(p, true); err != nil {
			return err
		}
	}
	return nil
}

func bind(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind %s: %w", to, err)
	}
	return nil
}

// setReadOnly changes the mount at path and those below it. Below, a mount that
// the machine made read-only stays so.
func setReadOnly(path string, on bool) error {
	attr := unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	if on {
		attr = unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	}
	err := unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, &attr)
	if err != nil && !on {
		err = unix.MountSetattr(unix.AT_FDCWD, path, 0, &attr)
	}
	if err != nil {
		return fmt.Errorf("set %s read-only %v: %w", path, on, err)
	}
	return nil
}

func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	return nil
}
