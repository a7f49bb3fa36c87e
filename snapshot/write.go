package snapshot

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// read gives write the content for each move, one after the other.
func (s *Store) read(ctx context.Context, moves []move, write func(move, int64, io.Reader) error) error {
	if len(moves) == 0 {
		return nil
	}
	var asked strings.Builder
	for _, m := range moves {
		asked.WriteString(m.target.hash + "\n")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	args := []string{"cat-file", "--batch"}
	cmd, said := s.git.command(ctx, args)
	cmd.Stdin = strings.NewReader(asked.String())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	from := bufio.NewReader(out)
	for _, m := range moves {
		if err := one(from, m, write); err != nil {
			cancel()
			_ = cmd.Wait()
			return fmt.Errorf("%s: %w", m.path, err)
		}
	}
	return s.git.failed(ctx, args, said, cmd.Wait())
}

// one passes on a content, which git announces with its name and size.
func one(from *bufio.Reader, m move, write func(move, int64, io.Reader) error) error {
	line, err := from.ReadString('\n')
	if err != nil {
		return err
	}
	f := strings.Fields(line)
	if len(f) != 3 || f[0] != m.target.hash || f[1] != "blob" {
		return fmt.Errorf("%w: %s", errDamaged, strings.TrimSpace(line))
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil {
		return err
	}
	if err := write(m, size, io.LimitReader(from, size)); err != nil {
		return err
	}
	_, err = from.Discard(1) // the line end
	return err
}

// write puts a file in its place at once, when all of it is there and checked.
func (r *restore) write(m move, size int64, content io.Reader) error {
	if dir := path.Dir(m.path); dir != "." {
		if err := r.root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	name := path.Join(path.Dir(m.path), beside+rand.Text())
	err := r.stage(name, m, size, content)
	if err == nil {
		err = r.place(name, m)
	}
	if err != nil {
		return errors.Join(err, dropped(r.root, name))
	}
	r.done = append(r.done, m.change())
	return nil
}

// dropped removes a file that did not come to its place.
func dropped(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !missing(err) {
		return err
	}
	return nil
}

func (r *restore) place(name string, m move) error {
	if m.now.mode == folder {
		if err := r.clear(m.path); err != nil {
			return err
		}
	}
	return r.root.Rename(name, m.path)
}

// clear removes a folder in which there are only folders.
func (r *restore) clear(dir string) error {
	err := inside(r.root, dir, func(path string, isDir bool) error {
		if !isDir {
			return fmt.Errorf("%s was made just now", path)
		}
		return r.root.Remove(path)
	})
	if missing(err) {
		return nil // it went when what was in it was removed
	}
	return err
}

// stage writes the content beside its place.
func (r *restore) stage(name string, m move, size int64, content io.Reader) error {
	if m.target.mode == link {
		return r.stageLink(name, m, size, content)
	}
	f, err := r.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, r.mode(m, 0o666))
	if err != nil {
		return err
	}
	err = errors.Join(check(f, m, size, content), f.Sync(), f.Close())
	if err != nil || m.now.mode != plain && m.now.mode != executable {
		return err
	}
	return r.root.Chmod(name, r.mode(m, 0)) // the umask may have narrowed it
}

// check copies a content and fails if it is not the one that was kept.
func check(to io.Writer, m move, size int64, content io.Reader) error {
	h := newHash(size)
	n, err := io.Copy(io.MultiWriter(to, h), content)
	if err == nil && (n != size || hexSum(h) != m.target.hash) {
		err = errDamaged
	}
	return err
}

func (r *restore) stageLink(name string, m move, size int64, content io.Reader) error {
	const longest = 64 << 10 // fixed: more than any system takes for a link
	if size > longest {
		return errDamaged
	}
	var target strings.Builder
	if err := check(&target, m, size, content); err != nil {
		return err
	}
	return r.root.Symlink(target.String(), name)
}

// mode returns the permissions of a file: those that it has, or else made ones,
// with or without the right to execute.
func (r *restore) mode(m move, made fs.FileMode) fs.FileMode {
	if info, err := r.root.Lstat(m.path); err == nil && info.Mode().IsRegular() {
		made = info.Mode().Perm()
	}
	if m.target.mode == executable {
		return made | made&0o444>>2
	}
	return made &^ 0o111
}
