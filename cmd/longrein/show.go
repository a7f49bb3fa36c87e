package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/longrein/longrein"
)

// printRecord shows one record to a person.
func printRecord(w io.Writer, r longrein.Record) {
	text := strings.TrimRight(recordText(r.Body), "\n")
	text = strings.ReplaceAll(printable(text), "\n", "\n        ")
	fmt.Fprintf(w, "%6d  %s\n", r.Seq, text)
}

// recordText puts a record into words.
func recordText(b longrein.Body) string {
	switch b := b.(type) {
	case longrein.Thread:
		return fmt.Sprintf("thread %s in %s, begun by longrein %s", b.ID, b.Cwd, b.Version)
	case longrein.Settings:
		return fmt.Sprintf("settings: %s of %s over %s", b.Model, b.Provider, b.Wire)
	case longrein.Window:
		return fmt.Sprintf("window %d: %s; its head holds %d items", b.N, b.Why, len(b.Head))
	case longrein.Turn:
		return turnText(b)
	case longrein.Input:
		return string(b.Mode) + ": " + b.Text
	case longrein.Appended:
		return itemText(b.Item)
	case longrein.Asked:
		return fmt.Sprintf("request: about %d tokens, %d of them sent before; sha256 %.12s…", b.Tokens, b.Cached, b.Hash)
	case longrein.Answered:
		return fmt.Sprintf("answered in %d ms: %d tokens in (%d cached), %d out, $%.4f", b.Millis, b.Usage.Input, b.Usage.Cached, b.Usage.Output, b.Cost)
	case longrein.ToolRun:
		return fmt.Sprintf("tool call %s %s", b.CallID, b.State)
	case longrein.LimitHit:
		return fmt.Sprintf("limit %s = %d %s: %s", b.Name, b.Value, b.Unit, cutText(b))
	case longrein.Approval:
		return fmt.Sprintf("approval %s: %s %s (%s) %s", b.State, b.Tool, b.Action, b.Reason, b.Note)
	case longrein.Warning:
		return "warning: " + b.Text
	case longrein.Renamed:
		return "named " + b.Name
	case longrein.Unknown:
		return fmt.Sprintf("%s (of a newer version): %s", b.Name, b.Raw)
	}
	return fmt.Sprintf("%T", b)
}

func turnText(t longrein.Turn) string {
	text := fmt.Sprintf("turn %d %s", t.N, t.State)
	if t.Error != nil {
		text += ": " + t.Error.Text
	}
	return text
}

func itemText(it longrein.Item) string {
	switch it := it.(type) {
	case longrein.Message:
		return string(it.Role) + ": " + it.Text
	case longrein.Reasoning:
		return "reasoning: " + it.Text
	case longrein.ToolCall:
		return "call " + it.Name + " " + it.Args
	case longrein.ToolOutput:
		return "output (" + string(it.Status) + "): " + it.Text
	case longrein.Fragment:
		return string(it.Tag) + ": " + it.Text
	}
	return longrein.Kind(it)
}
