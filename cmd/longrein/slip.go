package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/longrein/longrein/config"
)

// flagError says what is wrong with a flag, and the nearest one that there is.
func flagError(cmd *cobra.Command, err error) error {
	see := "see " + cmd.CommandPath() + " --help"
	var none *pflag.NotExistError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &none):
		return usage{errors.New(slip(err.Error(), "--"+none.GetSpecifiedName(), flagNames(cmd), see))}
	case errors.As(err, &bad) && errors.As(err, new(*strconv.NumError)):
		return usage{fmt.Errorf("--%s: want a whole number, not %q; %s", bad.GetFlag().Name, bad.GetValue(), see)}
	}
	return usage{fmt.Errorf("%w; %s", err, see)}
}

// noCommand says that a command is not there, the nearest one, and what to try.
func noCommand(cmd *cobra.Command, name, try string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return usage{errors.New(slip(fmt.Sprintf("there is no command %q", name), name, names, try))}
}

// helpTopic takes what is a command.
func helpTopic(cmd *cobra.Command, args []string) error {
	if found, _, _ := cmd.Root().Find(args); len(args) > 0 && found == cmd.Root() {
		return noCommand(cmd.Root(), args[0], "see longrein help")
	}
	return nil
}

// slip joins what is wrong, the known name that was likely meant, and what to try.
func slip(what, name string, known []string, try string) string {
	if meant := config.DidYouMean(name, known); meant != "" {
		return what + meant + " " + strings.ToUpper(try[:1]) + try[1:]
	}
	return what + "; " + try
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	add := func(f *pflag.Flag) { names = append(names, "--"+f.Name) }
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return names
}
