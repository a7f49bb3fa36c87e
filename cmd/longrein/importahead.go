package main

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"sync"
	"time"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// toldRecord is a record that is about to be appended.
type toldRecord struct {
	time time.Time
	body longrein.Body
	err  error
	wait func() error // for its long texts to be stored
}

// ahead yields records while those behind are got ready: secrets are taken out of
// them, and their long texts, which the log keeps beside itself, are stored, several
// at once since each waits for the disk.
func (im *importer) ahead(ctx context.Context, records iter.Seq[toldRecord], clean func(longrein.Body) longrein.Body) iter.Seq[toldRecord] {
	const most, stored = 64, 8 // fixed: records got ready ahead, and long texts of them stored at once
	return func(yield func(toldRecord) bool) {
		ctx, stop := context.WithCancel(ctx)
		ready := make(chan toldRecord, most)
		var working sync.WaitGroup
		working.Go(func() {
			defer close(ready)
			stores := make(chan struct{}, stored)
			for r := range records {
				if r.body != nil {
					r.body = clean(r.body)
					r.wait = im.storeTexts(r.body, stores)
				}
				select {
				case ready <- r:
				case <-ctx.Done():
					return
				}
			}
		})
		defer working.Wait()
		defer stop()
		for r := range ready {
			if r.err == nil && r.wait != nil {
				r.err = r.wait()
			}
			if !yield(r) {
				return
			}
		}
	}
}

// storeTexts begins to store the long texts of a record, and returns what waits
// for them.
func (im *importer) storeTexts(b longrein.Body, stores chan struct{}) func() error {
	text := longText(b)
	if len(text) < im.store.Limits.Int(limit.Inline) {
		return nil
	}
	stored := make(chan error, 1)
	stores <- struct{}{}
	go func() {
		_, err := im.store.PutBlob(bytes.NewReader(inQuotes(text)))
		<-stores
		stored <- err
	}()
	return func() error { return <-stored }
}

// longText is the text of a record that may be long.
func longText(b longrein.Body) string {
	switch b := b.(type) {
	case longrein.ImportedLine:
		return b.Text
	case longrein.Input:
		return b.Text
	case longrein.Appended:
		switch it := b.Item.(type) {
		case longrein.Message:
			return it.Text
		case longrein.ToolOutput:
			return it.Text
		case longrein.ToolCall:
			return it.Args
		case longrein.Fragment:
			return it.Text
		}
	}
	return ""
}

// inQuotes is a text as it stands in the log, between its quotes.
func inQuotes(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string can be encoded, and a buffer takes it
	return b.Bytes()[1 : b.Len()-2]
}
