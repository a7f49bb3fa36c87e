package sandbox

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// machines are the names under which the kernel reports system calls.
var machines = map[string]uint32{
	"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64, "riscv64": unix.AUDIT_ARCH_RISCV64,
	"ppc64le": unix.AUDIT_ARCH_PPC64LE, "s390x": unix.AUDIT_ARCH_S390X, "loong64": unix.AUDIT_ARCH_LOONGARCH64,
}

// filterable reports whether system calls can be filtered on this machine.
func filterable() bool { return machines[runtime.GOARCH] != 0 }

// Offsets in the data that a filter sees.
const (
	dataNumber = 0
	dataArch   = 4
	dataArg0   = 16 // low half on little-endian machines
)

// filter closes what neither Landlock nor a network of the child's own does:
// internet sockets, and truncating by path before Landlock knew of it.
func (c confinement) filter(abi int) error {
	sockets, truncate := !c.Network && !c.Mounts, abi < 3
	if !sockets && !truncate {
		return nil
	}
	if !filterable() {
		return nil // the report says that the network is open
	}
	prog := program(sockets, truncate)
	fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&fprog)), 0, 0)
	if err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	return nil
}

func program(sockets, truncate bool) []unix.SockFilter {
	allow := statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW)
	denied := deny(unix.EACCES)
	prog := []unix.SockFilter{
		load(dataArch),
		equal(machines[runtime.GOARCH], 1, 0),
		deny(unix.ENOSYS), // another machine's calls have other numbers
		load(dataNumber),
	}
	if runtime.GOARCH == "amd64" {
		prog = append(prog, jump(unix.BPF_JGE, 0x40000000, 0, 1), deny(unix.ENOSYS)) // x32
	}
	if truncate {
		prog = append(prog, equal(unix.SYS_TRUNCATE, 0, 1), denied)
	}
	if sockets {
		prog = append(prog,
			equal(unix.SYS_IO_URING_SETUP, 0, 1), deny(unix.ENOSYS), // it can open sockets too
			equal(unix.SYS_SOCKET, 1, 0), allow,
			load(arg0()),
			equal(unix.AF_UNIX, 1, 0), denied,
		)
	}
	return append(prog, allow)
}

func arg0() uint32 {
	if runtime.GOARCH == "s390x" {
		return dataArg0 + 4
	}
	return dataArg0
}

func load(offset uint32) unix.SockFilter {
	return statement(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset)
}

func deny(errno unix.Errno) unix.SockFilter {
	return statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|uint32(errno))
}

func statement(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }

// equal skips yes instructions when the loaded value is k, else no of them.
func equal(k uint32, yes, no uint8) unix.SockFilter { return jump(unix.BPF_JEQ, k, yes, no) }

func jump(test uint16, k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: yes, Jf: no, K: k}
}
