package longrein

// Imported says that the records after it are a session that another tool
// recorded. It is the second record of such a thread's log. The requests among
// them have no hash, since nobody knows their bytes.
type Imported struct {
	Tool    string `json:"tool"`              // the form of the recording, such as "claude-code"
	Version string `json:"version,omitempty"` // of the tool
	File    string `json:"file"`              // its name, without the folder
	Hash    string `json:"hash"`              // SHA-256 of the whole file, in hexadecimal
	N       int    `json:"n"`                 // which of the file's sessions this is, from 1
	// Session and Parent are ids as the tool has them; Agent is the sub-agent whose
	// session it is.
	Session string `json:"session,omitempty"`
	Parent  string `json:"parent,omitempty"`
	Agent   string `json:"agent,omitempty"`
	// Provider is who answered there. The next request goes to whomever the
	// settings name.
	Provider string `json:"provider,omitempty"`
	// Lines of the file, and those of them that no record is made of: the ones
	// that could not be read and the ones that were not needed.
	Lines  int `json:"lines"`
	Unread int `json:"unread,omitempty"`
	Passed int `json:"passed,omitempty"`
	// Last is the number of the last record that the import makes. A log that ends
	// before was cut off.
	Last int64 `json:"last"`
}

// ImportedLine keeps a line of an imported file that no other record is made of.
// A very long one is in several parts, in order.
type ImportedLine struct {
	Line int64  `json:"line"` // of the file, or of the element of a document, from 1
	Kind string `json:"kind"` // what it is, or why it could not be read
	// Lost is set when it could not be read.
	Lost bool   `json:"lost,omitempty"`
	Part int    `json:"part,omitempty"` // from 1; 0 is all of it
	Text string `json:"text,omitempty"`
	// Bytes holds the line in place of Text when it is no valid UTF-8.
	Bytes []byte `json:"bytes,omitempty"`
}

func (Imported) recordType() string     { return "imported" }
func (ImportedLine) recordType() string { return "imported_line" }

func init() {
	decoders["imported"] = decode[Imported]
	decoders["imported_line"] = decode[ImportedLine]
}
