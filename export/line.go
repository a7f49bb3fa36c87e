package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/longrein/longrein"
)

var (
	errLong   = errors.New("longer than the limit log-line")
	errNoLine = errors.New("neither a record nor a blob")
)

// readLine reads a line of bounded length; what goes beyond is left out.
func readLine(in *bufio.Reader, longest int) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if room := longest - len(line); len(part) > room {
			part, long = part[:room], true
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil && long:
			err = errLong
		}
		return line, err
	}
}

// lineRecord reads a line, and stores what is a blob.
func lineRecord(line []byte, put func(io.Reader) (longrein.Blob, error)) (r longrein.Record, ok bool, err error) {
	var l struct {
		recordLine
		Blob *longrein.Blob `json:"blob"`
		Text string         `json:"text"`
		Data []byte         `json:"data"`
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return r, false, err
	}
	switch {
	case l.Blob != nil:
		return r, false, store(*l.Blob, l.Text, l.Data, put)
	case l.Seq < 1 || l.Type == "" || len(l.Payload) == 0:
		return r, false, errNoLine
	}
	body, err := longrein.UnmarshalBody(l.Type, l.Payload)
	return longrein.Record{Seq: l.Seq, Time: l.Time, Body: body}, true, err
}

func store(b longrein.Blob, text string, data []byte, put func(io.Reader) (longrein.Blob, error)) error {
	if put == nil {
		return nil
	}
	var r io.Reader = strings.NewReader(text)
	if len(data) > 0 {
		r = bytes.NewReader(data)
	}
	got, err := put(r)
	if err == nil && got.ID != b.ID {
		err = fmt.Errorf("the blob %s is not what its name says: secrets may have been taken out of it; it is %s now", b.ID, got.ID)
	}
	return err
}
