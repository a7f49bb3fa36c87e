package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/compare"
	"github.com/longrein/longrein/harness"
)

// comparison is what compare was asked for.
type comparison struct {
	strategies []string
	window     int
	profile    string
	asJSON     bool
	html       string
	live       bool

	h       *harness.Harness
	answers compare.Answerer
	set     longrein.Settings // of the model that answers forks live
}

func (c *cli) compareCommand() *cobra.Command {
	var o comparison
	cmd := &cobra.Command{
		Use:   "compare SESSION... [--strategies a,b] [--window N] [--provider-profile P] [--json] [--html FILE] [--live]",
		Short: "Replay recorded sessions under several strategies, side by side",
		Long: "Replay recorded sessions under several strategies against a simulated provider, and show what each asks, costs,\n" +
			"waits for and keeps visible. A session is a thread of ours, a log, or a file that another tool recorded.\n" +
			"Nothing is sent anywhere, unless --live has the model of the settings write the summaries.",
		Args: between(1, 1_000, "which session? Name a thread (longrein threads lists them) or a file that longrein or another tool recorded"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.compare(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.strategies, "strategies", nil, "strategies to compare, separated by commas (default: all)")
	f.IntVar(&o.window, "window", 0, "the model's context window in tokens (default: as recorded)")
	f.StringVar(&o.profile, "provider-profile", "", "provider to simulate, such as openai, anthropic/claude-sonnet-5 or none (default: as recorded, or openai where that is not known)")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object for each session and strategy")
	f.StringVar(&o.html, "html", "", "write a page with tables and curves to this file")
	f.BoolVar(&o.live, "live", false, "have the model of the settings answer forks; this costs money")
	return cmd
}

func (c *cli) compare(ctx context.Context, o comparison, args []string) error {
	if err := o.check(); err != nil {
		return usage{err}
	}
	var err error
	if o.h, err = c.here(nil); err != nil {
		return err
	}
	if o.live {
		model, set, err := o.h.Model(ctx)
		if err != nil {
			return err
		}
		o.answers, o.set = compare.Provider{Model: model}, set
	}
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	var all [][]*compare.Result
	for _, arg := range args {
		sessions, err := c.sessions(o.h, arg)
		if err != nil {
			return usage{err}
		}
		for _, s := range sessions {
			results, err := o.replay(ctx, s)
			if err != nil {
				return err
			}
			if err := c.printResults(o, results, len(all) > 0); err != nil {
				return err
			}
			all = append(all, results)
		}
	}
	if o.html == "" {
		return nil
	}
	return c.writePage(o.html, all)
}

// collectAt keeps the memory of large sessions small: they live until the end,
// and twice of them would be waste.
const collectAt = 40

// mostWindow is a thousand times what models have, in tokens. Shares of it can
// still be reckoned.
const mostWindow = 1_000_000_000 // fixed: a larger one is refused, and told this

// check completes the strategies and finds what cannot be.
func (o *comparison) check() error {
	if folder, err := os.Stat(filepath.Dir(o.html)); o.html != "" && (err != nil || !folder.IsDir()) {
		return fmt.Errorf("--html %s: there is no folder %s", o.html, filepath.Dir(o.html))
	}
	known := harness.Strategies()
	if len(o.strategies) == 0 {
		o.strategies = known
	}
	for i, name := range o.strategies {
		if !slices.Contains(known, name) {
			return fmt.Errorf("there is no strategy %q; there are %s", name, strings.Join(known, ", "))
		}
		if slices.Contains(o.strategies[:i], name) {
			return fmt.Errorf("the strategy %s is named twice", name)
		}
	}
	if o.live && o.profile != "" {
		return errors.New("--live goes to the provider of the settings, so --provider-profile has no place beside it")
	}
	return windowFits(o.window)
}

// windowFits says what is wrong with a window that the user names; 0 is none.
func windowFits(tokens int) error {
	if tokens < 0 || tokens > mostWindow {
		return fmt.Errorf("--window is a number of tokens, at most %s", count(mostWindow))
	}
	return nil
}

// sessions are those that an argument names: a file, or a thread.
func (c *cli) sessions(h *harness.Harness, arg string) ([]*compare.Session, error) {
	path := arg
	if c.dir != "" && !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, path)
	}
	sessions, err := compare.File(h.Store(), path)
	if err == nil || !errors.Is(err, os.ErrNotExist) {
		return c.warned(sessions), err
	}
	id, err := h.Find(context.Background(), arg, "")
	if err != nil {
		return nil, fmt.Errorf("there is no file %s, and as a thread: %w", path, err)
	}
	s, err := compare.Thread(h.Store(), id)
	if err != nil {
		return nil, err
	}
	return c.warned([]*compare.Session{s}), nil
}

// warned tells of what could not be read: the first of it, and how much more.
func (c *cli) warned(sessions []*compare.Session) []*compare.Session {
	const most = 8 // fixed: how many more there are is told
	for _, s := range sessions {
		told := min(len(s.Damaged), most)
		for _, err := range s.Damaged[:told] {
			c.note(s.Name + ": " + err.Error())
		}
		if more := max(s.Unread, len(s.Damaged)) - told; more > 0 {
			c.note(fmt.Sprintf("%s: %d more records or lines could not be read", s.Name, more))
		}
	}
	return sessions
}

// replay replays a session under all strategies, as many at once as there are
// processors.
func (o *comparison) replay(ctx context.Context, s *compare.Session) ([]*compare.Result, error) {
	options, err := o.options(s)
	if err != nil {
		return nil, err
	}
	results, errs := make([]*compare.Result, len(options)), make([]error, len(options))
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, one := range options {
		wg.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			results[i], errs[i] = compare.Replay(ctx, s, one)
		})
	}
	wg.Wait()
	return results, errors.Join(errs...)
}

func (o *comparison) options(s *compare.Session) ([]compare.Options, error) {
	limits := o.h.Store().Limits
	profile := compare.ProfileOf(s.Settings, limits)
	if o.live {
		profile = compare.ProfileOf(o.set, limits)
	}
	if o.profile != "" {
		var err error
		if profile, err = compare.ParseProfile(o.profile, limits); err != nil {
			return nil, usage{err}
		}
	}
	var all []compare.Options
	for _, name := range o.strategies {
		strategy, err := o.h.NewStrategy(name, s.Thread.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, compare.Options{
			Strategy: strategy, Profile: profile, Window: o.window, Limits: limits,
			Answers: o.answers, Settings: o.set,
		})
	}
	return all, nil
}

func (c *cli) printResults(o comparison, results []*compare.Result, another bool) error {
	if !o.asJSON {
		if another {
			fmt.Fprintln(c.out)
		}
		var text strings.Builder
		if err := compare.WriteText(&text, results); err != nil {
			return err
		}
		_, err := io.WriteString(c.out, printable(text.String()))
		return err
	}
	for _, r := range results {
		if err := c.printJSON(r); err != nil {
			return err
		}
	}
	return nil
}

// writePage writes the page whole or not at all.
func (c *cli) writePage(path string, results [][]*compare.Result) error {
	if c.dir != "" && !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".compare-*.html")
	if err != nil {
		return fmt.Errorf("--html %s: %w", path, err)
	}
	err = errors.Join(compare.WriteHTML(f, results), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("--html %s: %w", path, err), os.Remove(f.Name()))
	}
	fmt.Fprintln(c.err, printable(path), "is written")
	return nil
}
