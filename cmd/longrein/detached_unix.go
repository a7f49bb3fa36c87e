//go:build !windows

package main

import "syscall"

// detached makes a process that the terminal's signals do not reach.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
