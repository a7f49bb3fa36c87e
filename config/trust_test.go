package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHomes(t *testing.T) {
	for name, c := range map[string]struct {
		flag string
		env  []string
		want Paths
	}{
		"the flag before the variable": {"/flag", []string{"LONGREIN_HOME=/var"}, Paths{"/flag", "/flag"}},
		"the variable":                 {"", []string{"LONGREIN_HOME=/var/"}, Paths{"/var", "/var"}},
		"the standard's variables":     {"", []string{"XDG_CONFIG_HOME=/c", "XDG_DATA_HOME=/d"}, Paths{"/c/longrein", "/d/longrein"}},
	} {
		if got := Homes(c.flag, c.env); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	for _, p := range []Paths{Homes("here", nil), Homes("", []string{"XDG_CONFIG_HOME=relative"})} {
		if !filepath.IsAbs(p.Config) || !filepath.IsAbs(p.Data) || strings.Contains(p.Config, "relative") {
			t.Errorf("got %v", p)
		}
	}
}

func TestAProjectCountsOnlyOnceItIsTrusted(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	name := write(t, "model = 'theirs'\nnonsense", project, ".longrein", "config.toml")
	o := Options{Home: filepath.Join(home, "new"), Cwd: project}
	s, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	if s.Model != "" || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].Text, name) || !strings.Contains(s.Warnings[0].Text, "longrein trust") {
		t.Errorf("untrusted: model %q, warnings %v", s.Model, s.Warnings)
	}
	write(t, "model = 'theirs'\n", name)
	for range 2 {
		if err := s.Paths.Trust(project); err != nil {
			t.Fatal(err)
		}
	}
	s, err = Load(o)
	if err != nil || s.Model != "theirs" || len(s.Warnings) > 0 {
		t.Errorf("trusted: model %q, warnings %v, %v", s.Model, s.Warnings, err)
	}
	list, err := os.ReadFile(filepath.Join(home, "new", "trusted"))
	if err != nil || strings.Count(string(list), "\n") != 1 {
		t.Errorf("the list is %q, %v", list, err)
	}
}

func TestTrustIsForOneFolderUnderAnyOfItsNames(t *testing.T) {
	p := Homes(t.TempDir(), nil)
	project := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(project, link); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(project, "vendor")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := p.Trust(link); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]bool{project: true, link: true, inside: false, filepath.Dir(project): false} {
		if got, err := p.Trusted(folder); got != want || err != nil {
			t.Errorf("Trusted(%s) = %v, %v; want %v", folder, got, err, want)
		}
	}
}

func TestTrustedFilesAreOurs(t *testing.T) {
	p := Homes(filepath.Join(t.TempDir(), "a", "b"), nil)
	if err := p.Trust(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{p.Data: 0o700, p.trustFile(): 0o600} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, want %v", name, info.Mode().Perm(), want)
		}
	}
}

func TestTrustRefusesWhatItCannotRecord(t *testing.T) {
	p := Homes(t.TempDir(), nil)
	odd := filepath.Join(t.TempDir(), "a\nb")
	if err := os.Mkdir(odd, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{odd, "/does/not/exist"} {
		if err := p.Trust(folder); err == nil {
			t.Errorf("Trust(%q) was accepted", folder)
		}
	}
}

func TestProject(t *testing.T) {
	root := t.TempDir()
	write(t, "", root, ".longrein", "config.toml")
	write(t, "", root, "repo", ".git", "HEAD")
	write(t, "", root, "repo", "deep", "er", "x")
	write(t, "", root, "repo", "own", ".longrein", "config.toml")
	for cwd, want := range map[string]string{
		".":              ".",
		"repo":           "", // the file above belongs to no repository
		"repo/deep/er":   "",
		"repo/own":       "repo/own",
		"repo/own/below": "repo/own",
		"elsewhere":      "",
	} {
		if want != "" {
			want = filepath.Join(root, want)
		}
		if got := Project(filepath.Join(root, cwd)); got != want {
			t.Errorf("Project(%q) = %q, want %q", cwd, got, want)
		}
	}
}

func TestAHomeInsideTheProjectIsTheUsersOwn(t *testing.T) {
	project := t.TempDir()
	write(t, "model = 'mine'\n", project, ".longrein", "config.toml")
	s, err := Load(Options{Home: filepath.Join(project, ".longrein"), Cwd: project})
	if err != nil || s.Model != "mine" || len(s.Warnings) > 0 {
		t.Errorf("got %+v, %v", s, err)
	}
}
