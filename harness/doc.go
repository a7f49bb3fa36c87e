// Package harness puts the parts together: settings, a model, tools, the log and
// a strategy become a running thread. It is what the command line uses and what
// an embedding program imports.
//
// [New] takes settings; [Harness.Start] begins a thread and [Harness.Resume]
// opens one again, each giving a [thread.Thread] to submit work to and to watch.
// [Harness.Verify] and [Harness.At] read logs without opening them for writing.
//
//	settings, err := config.Load(config.Options{Cwd: dir, Env: os.Environ()})
//	h := harness.New(harness.Options{Settings: settings, Cwd: dir, Env: os.Environ()})
//	t, err := h.Start(ctx)
//	events := t.Watch(ctx, 0)
//	err = t.Submit(ctx, "find out why the tests fail")
//	for e := range events { … }   // until turn.completed or turn.failed
//	err = t.Close()
//
// The package holds wiring only: what happens in a turn is package turn's
// business, and what a model is sent is package assemble's.
package harness
