package notes

import (
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/longrein/longrein"
)

// maxName is the longest name of a file that every system takes, in bytes.
const maxName = 255 // fixed: what file systems take

// oddName says what keeps name from being a document's: one that some system
// cannot hold, that hides, or that could pass for another. It is empty for a good name.
func oddName(name string) string {
	switch {
	case !utf8.ValidString(name), strings.ContainsFunc(name, oddRune):
		return "has characters in its name that not every system and list can show"
	case !fs.ValidPath(name) || name == ".":
		return "has a name that is no path within the folder"
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case len(part) > maxName-len(asideSuffix):
			return "has a name that is too long"
		case strings.HasPrefix(part, "."):
			return "has a hidden name"
		case strings.TrimSpace(part) != part, strings.HasSuffix(part, "."):
			return "has a name that ends or begins with a blank, or ends with a dot"
		}
	}
	return twin(name)
}

// twin says which document with a meaning of its own a name could be taken for,
// by a person or by a disk without case.
func twin(name string) string {
	for _, own := range []string{longrein.MainDocument, longrein.TodoDocument, longrein.LedgerDocument} {
		if name != own && strings.EqualFold(name, own) {
			return "could be taken for " + own
		}
	}
	return ""
}

// oddRune reports characters that steer a terminal or a text's direction, and
// those that have a meaning in paths and in lists of documents.
func oddRune(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.In(r, unicode.Zl, unicode.Zp) ||
		strings.ContainsRune(`\:*?"<>|`+"`", r)
}

// isDocument reports whether a user who makes a file of this name means a note.
func isDocument(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".txt"
}
