//go:build !linux

package file

func ofProcesses(string) bool { return false }
