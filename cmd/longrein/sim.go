package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein/config"
	"github.com/longrein/longrein/limit"
	"github.com/longrein/longrein/provider/sim"
)

func (c *cli) simCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "The simulated model, for tests, demos and measurements",
		Args:  between(0, 0, ""),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.simServeCommand(), c.simListCommand())
	return cmd
}

func (c *cli) simListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the built-in scripts, by the names they have as models",
		Args:  between(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			for _, name := range sim.Builtins() {
				s, err := sim.Builtin(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.out, "sim:%-14s %s\n", name, s.About)
			}
			return nil
		},
	}
}

// serveFlags are the flags of sim serve.
type serveFlags struct {
	addr, script    string
	faults          []string
	base            time.Duration
	input, output   int
	window, minimum int
	log             bool
}

func (c *cli) simServeCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the simulated model over HTTP: /v1/responses, /v1/chat/completions and /v1/messages",
		Example: "  longrein sim serve --addr 127.0.0.1:8484 --window 32000 --fault '429 at request 3 times 2 retry-after 1s'\n" +
			"  longrein exec -c providers.here.base_url=http://127.0.0.1:8484/v1 -c providers.here.wire=responses -p here -m sim:demo go",
		Args: between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.serveSim(cmd.Context(), f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.addr, "addr", "127.0.0.1:8484", "address to listen on; port 0 takes a free one")
	fl.StringVar(&f.script, "script", "", "a script file to play beside the built-in ones")
	fl.StringArrayVar(&f.faults, "fault", nil, "a fault to inject, such as '500 at request 5 times 8'; may be repeated")
	fl.DurationVar(&f.base, "latency", 0, "time before every answer")
	fl.IntVar(&f.input, "read-rate", 0, "uncached tokens read a second; 0: at once")
	fl.IntVar(&f.output, "write-rate", 0, "tokens written a second; 0: at once")
	fl.IntVar(&f.window, "window", 0, "tokens of input that fit; 0: any number")
	fl.IntVar(&f.minimum, "cache-min", 0, "tokens below which a prompt is not cached")
	fl.BoolVar(&f.log, "log", false, "print each request, with the beginning of its body's SHA-256")
	return cmd
}

func (f serveFlags) options(limits limit.Set) (sim.Options, error) {
	o := sim.Options{
		Latency: sim.Latency{Base: f.base, Input: f.input, Output: f.output},
		Window:  f.window, CacheMin: f.minimum, Limits: limits,
	}
	for _, text := range f.faults {
		fault, err := sim.ParseFault(text)
		if err != nil {
			return o, usage{err}
		}
		o.Faults = append(o.Faults, fault)
	}
	if f.script == "" {
		return o, nil
	}
	text, err := os.ReadFile(f.script)
	if err != nil {
		return o, usage{err}
	}
	o.Script, err = sim.ParseScript(f.script, text)
	if err != nil {
		return o, usage{err}
	}
	return o, nil
}

func (c *cli) serveSim(ctx context.Context, f serveFlags) error {
	dir, err := c.cwd()
	if err != nil {
		return err
	}
	s, err := config.Load(config.Options{Home: c.home, Cwd: dir, Env: c.env, Flags: c.flags})
	if err != nil {
		return err
	}
	o, err := f.options(s.Limits)
	if err != nil {
		return err
	}
	if f.log {
		o.Log = func(s sim.Seen) { fmt.Fprintln(c.err, s.Hash[:16], s) } // fixed: enough to tell requests apart
	}
	l, err := net.Listen("tcp", f.addr)
	if err != nil {
		return usage{fmt.Errorf("listen on %s: %w", f.addr, err)}
	}
	fmt.Fprintf(c.out, "simulated model at http://%s/v1 (no real model answers)\n", l.Addr())
	server := &http.Server{Handler: sim.New(o).Handler(), ReadHeaderTimeout: s.Limits.Duration(limit.Connect)}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // clients see a cut stream
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
