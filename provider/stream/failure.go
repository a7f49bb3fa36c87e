package stream

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/provider"
)

// explain says what err means to whoever asked.
func (m model) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, bufio.ErrTooLong) {
		return m.error(longrein.ErrLimit, "one event of the response is longer than the SDK reads (32 MiB)")
	}
	return provider.Failure(m.ep, err)
}

// cut says that the answer ended, by err if it is not nil, before it was whole.
func (m model) cut(err error, skipped int) error {
	if err != nil {
		return err
	}
	text := "the response ended before it was whole"
	if skipped > 0 {
		text += fmt.Sprintf("; %d of its events were not JSON", skipped)
	}
	return m.error(longrein.ErrStreamCut, text)
}

func (m model) error(kind longrein.ErrorKind, text string) error {
	return &longrein.ModelError{Kind: kind, Text: m.name() + ": " + text}
}
