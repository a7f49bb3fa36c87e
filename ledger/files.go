package ledger

import (
	"github.com/longrein/longrein"
	"github.com/longrein/longrein/limit"
)

// file is what happened to one, with the records of the last time.
type file struct {
	Path    string `json:"p"`
	Hash    string `json:"h,omitempty"` // of its content, where known
	Gone    bool   `json:"d,omitempty"` // deleted
	Read    int64  `json:"r,omitempty"`
	Reads   int    `json:"rn,omitempty"`
	Changed int64  `json:"c,omitempty"`
	Changes int    `json:"cn,omitempty"`
}

func (f file) key() string { return f.Path }

// hashDigits are enough to tell the contents that one file ever had apart.
const hashDigits = 12 // fixed: it only tells contents apart

// touch notes what was done to a file, and that this can be done now.
func (n noting) touch(t longrein.FileTouch) {
	name := n.name(t.Path)
	changed := t.Op != longrein.FileRead
	f, known := n.Changed.take(name)
	if !known {
		if f, known = n.Read.take(name); !known {
			f = file{Path: name}
		}
	}
	if changed || t.Hash != "" {
		f.Hash = clip(t.Hash, hashDigits)
	}
	if changed {
		f.Changed, f.Gone = n.seq, t.Op == longrein.FileDeleted
		f.Changes++
		n.resolve(patchTool, name)
	} else {
		f.Read = n.seq
		f.Reads++
	}
	n.resolve(readTool, name)
	if f.Changes > 0 {
		n.Changed.put(f)
	} else {
		n.Read.put(f)
	}
	n.boundFiles()
}

func (n noting) boundFiles() {
	for n.Changed.Len()+n.Read.Len() > n.set.Int(limit.LedgerFiles) {
		n.Left.Files++
		if n.Read.Len() > 0 {
			n.Read.take(n.Read.oldest().Path)
			continue
		}
		n.Changed.take(n.Changed.oldest().Path)
	}
}
