package shell_test

import (
	"slices"
	"testing"

	"github.com/longrein/longrein/tool/shell"
)

func TestEnv(t *testing.T) {
	in := []string{
		"PATH=/bin", "OPENAI_API_KEY=s", "GITHUB_TOKEN=s", "MY_SECRET_ID=s", "DB_PASSWORD=s", "AWS_REGION=x",
		"MONGO=mongodb://u:p@h/db", "URL=http://h/a:b@c", "TERM=xterm", "LOCAL=s", "PUBLIC_KEY=ok", "EDITOR=vi",
	}
	got := shell.Env(in, shell.EnvRules{Deny: []string{"LOCAL"}, Keep: []string{"public_*"}}, "EDITOR=true")
	want := []string{"PATH=/bin", "URL=http://h/a:b@c", "PUBLIC_KEY=ok"}
	if !slices.Equal(got[:len(want)], want) {
		t.Errorf("kept %q, want %q first", got, want)
	}
	for _, v := range []string{"TERM=dumb", "NO_COLOR=1", "PAGER=cat", "LC_ALL=C.UTF-8", "LONGREIN=1", "EDITOR=true"} {
		if !slices.Contains(got, v) {
			t.Errorf("%s is missing in %q", v, got)
		}
	}
}
