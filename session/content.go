package session

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// note stands for an attachment in a text.
func (t *tally) note(kind string, bytes int64) string {
	t.Attachments.N++
	t.Attachments.Bytes += bytes
	kind = plain(cmp.Or(kind, "attachment"))
	if bytes == 0 {
		return "[" + kind + "]"
	}
	return fmt.Sprintf("[%s, %d bytes]", kind, bytes)
}

// flat is the text of a message's content in any of the forms there are: a
// string, a block, or a list of them. Attachments become notes.
func (t *tally) flat(content value) string {
	switch {
	case content.Type == gjson.String:
		return text(content)
	case content.IsArray():
		var parts []string
		content.ForEach(func(_, block value) bool {
			if s := t.block(block); s != "" {
				parts = append(parts, s)
			}
			return true
		})
		return strings.Join(parts, "\n")
	case content.IsObject():
		return t.block(content)
	}
	return ""
}

// block is one piece of content as text.
func (t *tally) block(b value) string {
	if b.Type == gjson.String {
		return text(b)
	}
	if !b.IsObject() {
		return ""
	}
	if s := b.Get("text"); s.Type == gjson.String {
		return text(s)
	}
	if s, ok := t.attachment(b); ok {
		return s
	}
	if s := first(b.Get("content"), b.Get("output")); s.Exists() {
		return t.flat(s)
	}
	return jsonText(b)
}

// attachment is the note for an image, a sound or a file; false for any other
// block.
func (t *tally) attachment(b value) (string, bool) {
	kind := b.Get("type").Str
	data := first(b.Get("source.data"), b.Get("inlineData.data"), b.Get("image_url.url"), b.Get("image_url"), b.Get("encrypted_content"),
		b.Get("file.file_data"), b.Get("file_data"), b.Get("input_audio.data"), b.Get("data"), b.Get("url"), b.Get("fileData.fileUri"))
	switch {
	case strings.Contains(kind, "image"), strings.Contains(kind, "audio"), strings.Contains(kind, "file"), kind == "document", kind == "encrypted_content":
	case b.Get("inlineData").Exists(), b.Get("fileData").Exists():
	default:
		return "", false
	}
	mime := cmp.Or(b.Get("source.media_type").Str, b.Get("inlineData.mimeType").Str, b.Get("fileData.mimeType").Str,
		b.Get("mimeType").Str, b.Get("mime").Str, b.Get("media_type").Str)
	return t.note(cmp.Or(mime, kind, "attachment"), decodedSize(data)), true
}

// decodedSize is how many bytes a value holds in base64, bare or as a data URL;
// 0 when it is only a name.
func decodedSize(v value) int64 {
	const shortest = 64 // a bare one; what is shorter is a name
	s := v.Str
	if data, ok := strings.CutPrefix(s, "data:"); ok {
		_, s, _ = strings.Cut(data, ",")
	} else if len(s) < shortest || strings.Contains(s, "://") || strings.HasPrefix(s, "/") {
		return 0
	}
	return int64(len(strings.TrimRight(s, "="))) * 3 / 4
}
