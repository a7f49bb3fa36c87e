package crashtest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/longrein/longrein/rollout"
)

// Disk is a file system in memory that loses, in a crash, what a real one may
// lose. It is not safe for concurrent use. It implements [rollout.Disk].
type Disk struct {
	// Watch is called before everything that changes something, or makes it
	// durable. What it returns happens instead, or beside.
	Watch func(Op) Fault
	// Room is how many bytes still fit; less than 0 is without end.
	Room int64
	// ReadOnly refuses every change, as a medium does that was mounted so.
	ReadOnly bool

	root  *node
	era   *era
	locks map[*node]bool
	ops   int
}

// Op is something that is about to happen.
type Op struct {
	N    int // counts them, from 1
	Kind OpKind
	Path string
	// Data is what is written, at Off; Off alone is where a truncation ends.
	Data []byte
	Off  int64

	file *file
}

// String names the operation with what it is done to.
func (o Op) String() string {
	switch o.Kind {
	case OpWrite:
		return fmt.Sprintf("%d %s %s %d+%d", o.N, o.Kind, o.Path, o.Off, len(o.Data))
	case OpTruncate:
		return fmt.Sprintf("%d %s %s %d", o.N, o.Kind, o.Path, o.Off)
	}
	return fmt.Sprintf("%d %s %s", o.N, o.Kind, o.Path)
}

// OpKind is what happens.
type OpKind string

// What can happen to a disk. Reads are watched too, so that they can fail.
const (
	OpRead     OpKind = "read"
	OpWrite    OpKind = "write"
	OpTruncate OpKind = "truncate"
	OpSync     OpKind = "sync"
	OpSyncDir  OpKind = "sync folder"
	OpCreate   OpKind = "create"
	OpMkdir    OpKind = "mkdir"
	OpRename   OpKind = "rename"
	OpRemove   OpKind = "remove"
	OpLock     OpKind = "lock"
)

// Fault is what goes wrong. The zero value is nothing.
type Fault struct {
	Err error
	// Part is how much of a write happens before it fails.
	Part int
	// Done says that the operation happens and is reported as failed, as NFS does
	// when an answer was lost.
	Done bool
	// Kept chooses what a failed sync has made durable all the same; the rest
	// stays in memory as if it were written, and no later sync writes it.
	Kept *rand.Rand
}

// NewDisk returns an empty disk.
func NewDisk() *Disk {
	return &Disk{Room: -1, root: newDir(), era: new(era), locks: map[*node]bool{}}
}

// node is a file or a folder.
type node struct {
	*file
	*dir
}

type file struct {
	now   content  // as processes see it
	disk  content  // as it surely is on the disk
	since []change // what has happened to now and is not in disk, the oldest first
	apart bool     // a sync has failed: now and disk differ by more than since
}

type dir struct {
	now, disk map[string]*node
	since     []entry
}

// entry is a change of a folder's entries that is not on the disk yet. The two
// halves of a rename have one number.
type entry struct {
	name   string
	node   *node // nil: it is gone
	rename int
}

func newDir() *node {
	return &node{dir: &dir{now: map[string]*node{}, disk: map[string]*node{}}}
}

func (d *dir) set(e entry) {
	d.since = append(d.since, e)
	put(d.now, e)
}

func put(m map[string]*node, e entry) {
	if e.node == nil {
		delete(m, e.name)
		return
	}
	m[e.name] = e.node
}

// watch announces an operation.
func (d *Disk) watch(o Op) Fault {
	if o.Kind != OpRead {
		d.ops++
		o.N = d.ops
		if d.ReadOnly && o.Kind != OpSync && o.Kind != OpSyncDir {
			return Fault{Err: syscall.EROFS}
		}
	}
	if d.Watch == nil {
		return Fault{}
	}
	return d.Watch(o)
}

// parts splits a path.
func parts(p string) []string {
	return strings.FieldsFunc(filepath.ToSlash(p), func(r rune) bool { return r == '/' })
}

func fail(op, path string, err error) error { return &fs.PathError{Op: op, Path: path, Err: err} }

// find returns what is at a path.
func (d *Disk) find(op, p string) (*node, error) {
	n := d.root
	for _, name := range parts(p) {
		if n.dir == nil {
			return nil, fail(op, p, syscall.ENOTDIR)
		}
		if n = n.dir.now[name]; n == nil {
			return nil, fail(op, p, fs.ErrNotExist)
		}
	}
	return n, nil
}

// folder returns the folder that p is in, and p's name there.
func (d *Disk) folder(op, p string) (*dir, string, error) {
	n, err := d.find(op, filepath.Dir(p))
	if err != nil {
		return nil, "", err
	}
	if n.dir == nil {
		return nil, "", fail(op, p, syscall.ENOTDIR)
	}
	return n.dir, filepath.Base(p), nil
}

// Open opens a file, or creates it.
func (d *Disk) Open(p string, flag int) (rollout.DiskFile, error) {
	n, err := d.find("open", p)
	switch {
	case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
		if n, err = d.create(p, OpCreate); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	case flag&os.O_EXCL != 0:
		return nil, fail("open", p, fs.ErrExist)
	case n.file == nil:
		return nil, fail("open", p, syscall.EISDIR)
	}
	if d.ReadOnly && flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		return nil, fail("open", p, syscall.EROFS)
	}
	return &handle{disk: d, node: n, path: p}, nil
}

func (d *Disk) create(p string, kind OpKind) (*node, error) {
	in, name, err := d.folder("open", p)
	if err != nil {
		return nil, err
	}
	f := d.watch(Op{Kind: kind, Path: p})
	if f.Err != nil && !f.Done {
		return nil, fail("open", p, f.Err)
	}
	n := &node{file: &file{}}
	in.set(entry{name: name, node: n})
	if f.Err != nil {
		return nil, fail("open", p, f.Err)
	}
	return n, nil
}

// Stat returns what is known of a file.
func (d *Disk) Stat(p string) (fs.FileInfo, error) {
	n, err := d.find("stat", p)
	if err != nil {
		return nil, err
	}
	return info{path.Base(filepath.ToSlash(p)), n}, nil
}

// ReadDir returns a folder's entries.
func (d *Disk) ReadDir(p string) ([]fs.DirEntry, error) {
	n, err := d.find("open", p)
	if err != nil {
		return nil, err
	}
	if n.dir == nil {
		return nil, fail("open", p, syscall.ENOTDIR)
	}
	var out []fs.DirEntry
	for name, n := range n.dir.now {
		out = append(out, fs.FileInfoToDirEntry(info{name, n}))
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return out, nil
}

// Mkdir makes a folder.
func (d *Disk) Mkdir(p string) error {
	in, name, err := d.folder("mkdir", p)
	if err != nil {
		return err
	}
	if in.now[name] != nil {
		return fail("mkdir", p, fs.ErrExist)
	}
	f := d.watch(Op{Kind: OpMkdir, Path: p})
	if f.Err == nil || f.Done {
		in.set(entry{name: name, node: newDir()})
	}
	return wrap("mkdir", p, f.Err)
}

func wrap(op, p string, err error) error {
	if err != nil {
		return fail(op, p, err)
	}
	return nil
}

// Rename gives a file another name, in place of what has that name.
func (d *Disk) Rename(from, to string) error {
	in, name, err := d.folder("rename", from)
	if err != nil {
		return err
	}
	into, newName, err := d.folder("rename", to)
	if err != nil {
		return err
	}
	n := in.now[name]
	if n == nil {
		return fail("rename", from, fs.ErrNotExist)
	}
	f := d.watch(Op{Kind: OpRename, Path: to})
	if f.Err == nil || f.Done {
		into.set(entry{name: newName, node: n, rename: d.ops})
		in.set(entry{name: name, rename: d.ops})
	}
	return wrap("rename", from, f.Err)
}

// Remove removes a file.
func (d *Disk) Remove(p string) error {
	in, name, err := d.folder("remove", p)
	if err != nil {
		return err
	}
	if in.now[name] == nil {
		return fail("remove", p, fs.ErrNotExist)
	}
	f := d.watch(Op{Kind: OpRemove, Path: p})
	if f.Err == nil || f.Done {
		in.set(entry{name: name})
	}
	return wrap("remove", p, f.Err)
}

// SyncDir makes a folder's entries durable.
func (d *Disk) SyncDir(p string) error {
	n, err := d.find("sync", p)
	if err != nil {
		return err
	}
	if n.dir == nil {
		return fail("sync", p, syscall.ENOTDIR)
	}
	if f := d.watch(Op{Kind: OpSyncDir, Path: p}); f.Err != nil {
		return fail("sync", p, f.Err)
	}
	for _, e := range n.dir.since {
		put(n.dir.disk, e)
	}
	n.dir.since = nil
	return nil
}

// Lock takes a lock.
func (d *Disk) Lock(p, holder string) (io.Closer, error) {
	n, err := d.find("open", p)
	if errors.Is(err, fs.ErrNotExist) {
		n, err = d.create(p, OpLock)
	}
	if err != nil {
		return nil, err
	}
	if d.locks[n] {
		return nil, nil
	}
	if d.ReadOnly {
		return nil, fail("open", p, syscall.EROFS)
	}
	d.locks[n] = true
	return &held{d, n, p}, nil
}

// held is a lock that is taken.
type held struct {
	disk *Disk
	node *node
	path string
}

func (h *held) Close() error {
	delete(h.disk.locks, h.node)
	return h.disk.Remove(h.path)
}

// info is what Stat tells.
type info struct {
	name string
	node *node
}

func (i info) Name() string { return i.name }

func (i info) Size() int64 {
	if i.node.file == nil {
		return 0
	}
	return i.node.file.now.size
}

func (i info) Mode() fs.FileMode {
	if i.node.dir != nil {
		return fs.ModeDir | 0o700
	}
	return 0o600
}

func (info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool      { return i.node.dir != nil }
func (info) Sys() any           { return nil }
