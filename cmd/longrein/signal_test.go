package main

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"
)

func TestAClosedTerminalIsAnEndUnlessItIsToBeSurvived(t *testing.T) {
	if !signal.Ignored(syscall.SIGHUP) && !slices.Contains(endings(), os.Signal(syscall.SIGHUP)) {
		t.Error("a closed terminal does not interrupt the turn")
	}
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	if slices.Contains(endings(), os.Signal(syscall.SIGHUP)) {
		t.Error("nohup is not respected")
	}
}
