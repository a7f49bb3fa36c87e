package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
)

// Paths are the folders that belong to Longrein. Both are absolute, unless the
// home that was named is not and the working directory is gone.
type Paths struct {
	Config string // config.toml, and AGENTS.md for all projects
	Data   string // threads, blobs, the index and the list of trusted folders
}

// Homes returns the folders: both are flagHome if it is not empty, else
// LONGREIN_HOME of env, else those that the XDG standard and the system say.
func Homes(flagHome string, env []string) Paths {
	home := flagHome
	if home == "" {
		home = lookup(env, homeVar)
	}
	if home == "" {
		return Paths{
			Config: filepath.Join(standard(env, "XDG_CONFIG_HOME", xdg.ConfigHome), "longrein"),
			Data:   filepath.Join(standard(env, "XDG_DATA_HOME", xdg.DataHome), "longrein"),
		}
	}
	if abs, err := filepath.Abs(home); err == nil {
		home = abs
	}
	return Paths{Config: home, Data: home}
}

// standard returns the folder that a variable names; the standard wants one
// with a relative path passed over.
func standard(env []string, variable, fallback string) string {
	if dir := lookup(env, variable); filepath.IsAbs(dir) {
		return dir
	}
	return fallback
}

// lookup returns the value of a variable. Of two of the same name the last
// counts, as it does for the commands that are run.
func lookup(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			return v
		}
	}
	return ""
}

// userHome is what ~ stands for.
func userHome(env []string) string {
	if home := lookup(env, "HOME"); home != "" {
		return home
	}
	home, _ := os.UserHomeDir()
	return home
}
