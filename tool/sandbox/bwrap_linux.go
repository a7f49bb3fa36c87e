package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

func open(ctx context.Context, r Rules, m Method) (*Box, error) {
	switch m {
	case Bubblewrap:
		return openBubblewrap(ctx, r)
	case Landlock:
		return openLandlock(ctx, r, true, false)
	}
	return nil, errors.New("not a method")
}

func openBubblewrap(ctx context.Context, r Rules) (*Box, error) {
	program, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, errors.New("bwrap is not installed")
	}
	wrap := func(dir string, argv []string) (*exec.Cmd, error) {
		args := append(bubblewrapArgs(r, dir), argv...)
		return exec.Command(program, args...), nil
	}
	if err := try(ctx, wrap); err != nil {
		return nil, err
	}
	return &Box{rules: r, report: Report{Method: Bubblewrap, Files: true, Network: true}, wrap: wrap}, nil
}

// bubblewrapArgs are computed for each command, because .git may appear between
// two of them. Mounts are made in order: later ones lie over earlier ones.
func bubblewrapArgs(r Rules, dir string) []string {
	args := []string{
		"--die-with-parent", "--unshare-pid", "--unshare-ipc",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
	}
	if !r.Network {
		args = append(args, "--unshare-net")
	}
	if os.Geteuid() == 0 {
		// Root keeps access to files of others, which mounts bound, and nothing else;
		// /proc would let it change the kernel's settings.
		args = append(args, "--cap-drop", "ALL", "--cap-add", "CAP_DAC_OVERRIDE",
			"--cap-add", "CAP_CHOWN", "--cap-add", "CAP_FOWNER", "--remount-ro", "/proc")
	}
	roots := r.Roots()
	if r.Mode == ReadOnly {
		args = append(args, readOnlyMounts(r)...)
	}
	for _, root := range roots {
		args = append(args, "--bind", root, root)
	}
	for _, p := range r.guards(roots) {
		args = append(args, "--ro-bind", p, p)
	}
	args = append(args, hide()...)
	return append(args, "--chdir", dir, "--")
}

// readOnlyMounts give a private, empty temporary folder, and show the working
// folder through it when it lies inside.
func readOnlyMounts(r Rules) []string {
	var args []string
	for _, tmp := range r.folders(temps()) {
		args = append(args, "--tmpfs", tmp)
	}
	for _, p := range r.folders(append([]string{r.Cwd}, r.Writable...)) {
		args = append(args, "--ro-bind", p, p)
	}
	return args
}

// doors are sockets of services that do as they are told outside of the sandbox.
// A read-only mount does not keep a program from connecting to them.
func doors() []string {
	uid := strconv.Itoa(os.Getuid())
	paths := []string{
		"/run/docker.sock", "/run/containerd", "/run/podman", "/run/dbus", "/run/user", "/run/snapd.socket",
		"/run/libvirt", "/run/lxd.socket", "/tmp/.X11-unix", "/tmp/tmux-" + uid, "/tmp/screens",
	}
	if agent := os.Getenv("SSH_AUTH_SOCK"); agent != "" {
		paths = append(paths, agent)
	}
	return paths
}

func hide() []string {
	var args []string
	for _, p := range doors() {
		info, err := os.Stat(p)
		if err != nil || !filepath.IsAbs(p) {
			continue
		}
		if info.IsDir() {
			args = append(args, "--tmpfs", p)
			continue
		}
		args = append(args, "--ro-bind", "/dev/null", p)
	}
	return args
}
