package longrein

// Rollback takes a thread back to where it stood after the record To. What came
// between stays in the log, and the model no longer sees it. The window record that
// follows is made of the state at To, so nothing older has to be read to go on.
// A rollback can itself be rolled back: To may lie in what an earlier one hid.
type Rollback struct {
	To    int64 `json:"to"`
	Turns int   `json:"turns,omitempty"` // user turns that it hides
	// Redo is set when it takes an earlier rollback back.
	Redo bool `json:"redo,omitempty"`
}

// Snapshot says how the files in the thread's folder stood. What is in it can be put
// back by an undo. Tree is empty when none could be made; Why says so then.
type Snapshot struct {
	When SnapshotTime `json:"when"`
	Turn int          `json:"turn"`
	Root string       `json:"root"` // the folder, absolute
	// Tree names the content: the same files give the same name. 40 or 64
	// hexadecimal digits.
	Tree  string `json:"tree,omitempty"`
	Files int    `json:"files"`
	Why   string `json:"why,omitempty"`
}

// SnapshotTime is when a snapshot was taken.
type SnapshotTime string

// A turn's snapshots are taken before its first call that may change something and
// when it ends. An undo takes one of what it is about to replace.
const (
	SnapshotBefore SnapshotTime = "before"
	SnapshotAfter  SnapshotTime = "after"
	SnapshotUndo   SnapshotTime = "undo"
)

// Undone says that files were put back. From is the snapshot of what was there
// before, To of what was there afterwards; a redo takes this change back.
type Undone struct {
	Turn int    `json:"turn"` // whose changes, and those of later ones, are taken back
	From string `json:"from"` // tree
	To   string `json:"to"`   // tree
	Root string `json:"root"`
	// Redo is set when it takes an earlier undo back.
	Redo bool `json:"redo,omitempty"`
	// Partial is set when it failed half-way; made again, it does the rest.
	Partial bool         `json:"partial,omitempty"`
	Changed []FileChange `json:"changed"`
	// Lasting are what the turns did that cannot be taken back.
	Lasting []string `json:"lasting,omitempty"`
}

// FileChange is what putting files back does to one of them.
type FileChange struct {
	Path string         `json:"path"` // slash-separated, relative to the root
	Op   FileChangeKind `json:"op"`
}

// FileChangeKind is how a file changes.
type FileChangeKind string

// A file appears, gets another content or mode, or goes away.
const (
	FileAdded    FileChangeKind = "added"
	FileModified FileChangeKind = "modified"
	FileRemoved  FileChangeKind = "removed"
)

func (Rollback) recordType() string { return "rollback" }
func (Snapshot) recordType() string { return "snapshot" }
func (Undone) recordType() string   { return "undo" }

func init() {
	decoders["rollback"] = decode[Rollback]
	decoders["snapshot"] = decode[Snapshot]
	decoders["undo"] = decode[Undone]
}
