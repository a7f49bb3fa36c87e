package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/longrein/longrein"
)

// Run answers a summarizer's call. The tools have the worker's names, because the
// fork is told of them in the worker's words, but only those that look at files
// and patch them do anything, and for them there is nothing but the documents.
// Whatever is wrong becomes an output that says what to do instead.
func (d *Draft) Run(call longrein.ToolCall) longrein.ToolOutput {
	switch call.Name {
	case "apply_patch":
		return with(call, func(a patchArgs) longrein.ToolOutput { return d.patch(call, a.Patch) })
	case "read_file":
		return with(call, func(a readArgs) longrein.ToolOutput { return d.read(call, a) })
	case "list_files":
		return with(call, func(a listArgs) longrein.ToolOutput { return d.list(call, a) })
	case "search_files":
		return with(call, func(a searchArgs) longrein.ToolOutput { return d.search(call, a) })
	}
	return failed(call, refuse("%s", instead(call.Name)))
}

// instead says what a summarizer does in place of calling a tool.
func instead(name string) string {
	const edit = "change notes with apply_patch, and look at them with read_file, list_files and search_files"
	switch name {
	case "exec_command":
		return "the summarizer runs no commands: note what the conversation shows; " + edit
	case "update_plan":
		return "the plan is the worker's: note what is open in a document; " + edit
	case "read_output":
		return "the summarizer reads no outputs on: note what the conversation shows, and the number of the item; " + edit
	}
	return fmt.Sprintf("the summarizer has no tool %q; %s", clip(name, 60), edit) // fixed: it is in the answer
}

type (
	patchArgs struct{ Patch string }
	readArgs  struct {
		Path          string
		Offset, Limit float64
	}
	listArgs   struct{ Path, Pattern string }
	searchArgs struct{ Pattern, Path, Glob string }
)

// with reads a call's arguments and goes on with them.
func with[T any](call longrein.ToolCall, run func(T) longrein.ToolOutput) longrein.ToolOutput {
	var args T
	if strings.TrimSpace(call.Args) == "" {
		return run(args)
	}
	if err := json.Unmarshal([]byte(call.Args), &args); err != nil {
		return failed(call, explain(err))
	}
	return run(args)
}

// explain says what is wrong with arguments, without the names of our types.
func explain(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("its argument %q cannot be a %s", strings.ToLower(kind.Field), kind.Value)
	case errors.As(err, &kind):
		return errors.New("its arguments must be a JSON object, not a " + kind.Value)
	}
	return fmt.Errorf("its arguments are not a JSON object: %w", err)
}

// refusal is an error of a call that was understood and may not be done.
type refusal struct{ why string }

func (r refusal) Error() string { return r.why }

func refuse(format string, args ...any) error { return refusal{fmt.Sprintf(format, args...)} }

// failed answers a call that was not done, and tells what may not be from what
// did not work.
func failed(call longrein.ToolCall, err error) longrein.ToolOutput {
	status := longrein.OutputFailed
	if errors.As(err, new(refusal)) {
		status = longrein.OutputRefused
	}
	return output(call, status, err.Error())
}

func done(call longrein.ToolCall, text string) longrein.ToolOutput {
	return output(call, longrein.OutputOK, text)
}

func output(call longrein.ToolCall, status longrein.OutputStatus, text string) longrein.ToolOutput {
	return longrein.ToolOutput{CallID: call.ID, Status: status, Text: strings.ToValidUTF8(text, "\ufffd")}
}
