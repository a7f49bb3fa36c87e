package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// EnvRules say which variables are kept from commands. Patterns are names in
// which * stands for any characters; case does not count.
type EnvRules struct {
	Deny []string // besides [Secrets]
	Keep []string // although Secrets or Deny name them
}

// Secrets are the patterns of variables that usually hold a secret. A variable
// whose value is a URL with a password in it is treated as one of them.
var Secrets = []string{
	"*_KEY", "*APIKEY*", "*API_KEY*", "*_TOKEN", "*TOKEN", "*SECRET*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*",
	"*CREDENTIAL*", "*_PAT", "*_DSN", "AWS_*", "AZURE_*", "GOOGLE_APPLICATION_*", "*DATABASE_URL*", "*CONNECTION_STRING*",
	"LONGREIN_*",
}

// fixed is what every command sees: no colours, no pager, UTF-8.
var fixed = []string{
	"TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GH_PAGER=cat", "GIT_TERMINAL_PROMPT=0",
	"LANG=C.UTF-8", "LC_ALL=C.UTF-8", "LONGREIN=1",
}

// Env returns what environ gives to commands under r: without secrets and with
// what makes output plain. The extra variables win over both.
func Env(environ []string, r EnvRules, extra ...string) []string {
	set := append(slices.Clone(fixed), extra...)
	out := make([]string, 0, len(environ)+len(set))
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		if !defines(set, name) && !r.denied(name, value) {
			out = append(out, v)
		}
	}
	return append(out, set...)
}

func defines(set []string, name string) bool {
	return slices.ContainsFunc(set, func(v string) bool { return strings.HasPrefix(v, name+"=") })
}

var urlWithPassword = regexp.MustCompile(`://[^/\s:@]*:[^/\s@]+@`)

func (r EnvRules) denied(name, value string) bool {
	if matches(r.Keep, name) {
		return false
	}
	return matches(Secrets, name) || matches(r.Deny, name) || urlWithPassword.MatchString(value)
}

func matches(patterns []string, name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(strings.ToUpper(p), name)
		return ok && err == nil
	})
}
