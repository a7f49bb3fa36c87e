package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
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
		args = append(args, privateMounts(r, dir)...)
	}
	for _, root := range roots {
		args = append(args, "--bind", root, root)
	}
	for _, p := range r.guards(roots) {
		args = append(args, "--ro-bind", p, p)
	}
	for _, p := range doors() {
		args = append(args, "--ro-bind", "/dev/null", p)
	}
	return append(args, "--chdir", dir, "--")
}

// privateMounts give private, empty temporary folders.
func privateMounts(r Rules, dir string) []string {
	var args []string
	hide, show := r.private(dir)
	for _, p := range hide {
		args = append(args, "--tmpfs", p)
	}
	for _, p := range show {
		args = append(args, "--ro-bind", p, p)
	}
	return args
}
