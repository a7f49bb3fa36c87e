package config

import (
	"fmt"
	"os"
	"path/filepath"
)

// Project returns the folder whose .longrein/config.toml is for cwd: the nearest
// one that has such a file, from cwd up to the root of its repository. Outside
// of a repository only cwd itself is looked at. It returns "" if there is none.
func Project(cwd string) string {
	folder := ""
	for dir := cwd; ; dir = filepath.Dir(dir) {
		if folder == "" && exists(projectFile(dir)) {
			folder = dir
		}
		if exists(filepath.Join(dir, ".git")) {
			return folder
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if folder == cwd {
		return cwd
	}
	return ""
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func (l *loader) userFile() {
	folder := l.settings.Paths.Config
	l.file(filepath.Join(folder, fileTOML), folder)
}

// projectFile applies the project's settings, if there are any and the user
// trusts them.
func (l *loader) projectFile() {
	folder := Project(l.cwd)
	if folder == "" {
		return
	}
	name := projectFile(folder)
	if filepath.Dir(name) == l.settings.Paths.Config {
		return // our own home is inside the project: that was the user's file
	}
	trusted, err := l.settings.Paths.Trusted(folder)
	if err != nil {
		l.warn(err.Error())
	}
	if !trusted {
		l.warn(fmt.Sprintf("the settings in %s were passed over, because this folder is not trusted: "+
			"they could run commands or send keys elsewhere. Read them, then run: longrein trust", name))
		return
	}
	l.file(name, folder)
}
