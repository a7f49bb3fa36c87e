package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// confinement is what the child is told to do to itself before it becomes the
// command.
type confinement struct {
	Dir    string   // where the command runs
	Roots  []string // writable
	Guards []string // read-only inside of Roots
	Hide   []string // replaced by private, empty folders
	Show   []string // visible again inside of Hide
	Doors  []string // made unreachable
	// Mounts says that the child was given mounts of its own, and a network of
	// its own unless Network.
	Mounts  bool
	Network bool
}

// openLandlock tries with mounts of the child's own first, which hold better.
func openLandlock(ctx context.Context, r Rules, mounts ...bool) (*Box, error) {
	abi := landlockVersion()
	if abi == 0 {
		return nil, errors.New("the kernel does not offer it")
	}
	if !entered.Load() {
		return nil, errors.New("the program does not call sandbox.Main")
	}
	var errs []error
	for _, mounts := range mounts {
		wrap := landlockWrapper(r, mounts)
		if err := try(ctx, wrap); err != nil {
			errs = append(errs, err)
			continue
		}
		return &Box{rules: r, report: landlockReport(r, abi, mounts), wrap: wrap}, nil
	}
	return nil, errors.Join(errs...)
}

func landlockWrapper(r Rules, mounts bool) wrapper {
	return func(dir string, argv []string) (*exec.Cmd, error) {
		c := confinement{Dir: dir, Roots: r.Roots(), Mounts: mounts, Network: r.Network}
		c.Guards = r.guards(c.Roots)
		if mounts {
			c.Doors = doors()
		}
		if mounts && r.Mode == ReadOnly {
			c.Hide, c.Show = r.private(dir)
		}
		told, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		cmd := exec.Command("/proc/self/exe", append([]string{word, string(told)}, argv...)...)
		cmd.Dir = dir
		cmd.SysProcAttr = spaces(r, mounts)
		return cmd, nil
	}
}

// spaces asks for the namespaces that a confinement with mounts relies on.
func spaces(r Rules, mounts bool) *syscall.SysProcAttr {
	if !mounts {
		return &syscall.SysProcAttr{}
	}
	attr := &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS}
	if !r.Network {
		attr.Cloneflags |= unix.CLONE_NEWNET
	}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN}
	}
	return attr
}

func landlockReport(r Rules, abi int, mounts bool) Report {
	report := Report{Method: Landlock, Files: true, Network: r.Network || mounts || filterable()}
	var weak []string
	if !mounts {
		weak = append(weak, "modes, owners and times of files outside can be changed, if their permissions allow")
		for _, root := range r.Roots() {
			if len(r.guards([]string{root})) > 0 {
				weak = append(weak, "nothing new can be made directly in "+root+", because protected files lie there")
			}
		}
	}
	if abi < 9 && !mounts {
		weak = append(weak, "sockets of local services can be reached")
	}
	if abi < 6 {
		weak = append(weak, "signals reach processes outside")
	}
	if !report.Network {
		weak = append(weak, "the network is open")
	}
	report.Why = strings.Join(weak, "; ")
	return report
}

func landlockVersion() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// grants returns the paths that together make up root without its guards.
// Landlock can only add rights, so a folder with a guard in it is taken apart.
func grants(root string, guards []string) ([]string, error) {
	if slices.Contains(guards, root) {
		return nil, nil
	}
	if !slices.ContainsFunc(guards, func(g string) bool { return Within(g, root) }) {
		return []string{root}, nil
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", root, err)
	}
	var out []string
	for _, e := range entries {
		if e.Type()&os.ModeSymlink != 0 {
			continue
		}
		below, err := grants(filepath.Join(root, e.Name()), guards)
		if err != nil {
			return nil, err
		}
		out = append(out, below...)
	}
	return out, nil
}
