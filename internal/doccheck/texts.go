package doccheck

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// machine finds what belongs to one developer's machine: a home folder, unless
// its owner is clearly an example, and the host of a package registry.
var machine = regexp.MustCompile(`(?:/home/|/Users/|[A-Z]:\\Users\\)([A-Za-z0-9_.-]+)[/\\]` +
	`|(?:^|[^\w])/root/[a-z]` +
	`|https?://[a-z0-9.-]*(?:registry|goproxy|artifactory|nexus|verdaccio|pypi|npmjs|proxy\.golang)[a-z0-9.-]*`)

var examples = map[string]bool{"user": true, "me": true, "you": true, "alice": true, "bob": true, "dev": true, "someone": true}

// Private returns one sentence for each line of a tracked text that names a
// path of somebody's machine, the checkout at root among them, or the host of a
// package registry.
func Private(root, name, text string) []string {
	var found []string
	n := 0
	for line := range strings.Lines(text) {
		n++
		for _, what := range private(root, line) {
			found = append(found, fmt.Sprintf("%s:%d: %q is of one machine. Use a relative path, t.TempDir, or an example such as /home/user.", name, n, what))
		}
	}
	return found
}

func private(root, line string) []string {
	var found []string
	for _, m := range machine.FindAllStringSubmatch(line, -1) {
		if !examples[m[1]] {
			found = append(found, m[0])
		}
	}
	if deep := strings.Count(root, "/") > 1; deep && holds(line, root) {
		found = append(found, root)
	}
	return found
}

// holds reports whether line names root or something under it.
func holds(line, root string) bool {
	_, after, ok := strings.Cut(line, root)
	return ok && (after == "" || !strings.ContainsAny(after[:1], "abcdefghijklmnopqrstuvwxyz0123456789-_."))
}

var link = regexp.MustCompile(`\]\(([^)\s#]+)(?:#[^)]*)?\)`)

// Broken returns one sentence for each relative link of a Markdown page that
// leads nowhere; exists says what is there, by path from the module's root.
func Broken(name, text string, exists func(string) bool) []string {
	var found []string
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[1], ":") {
			continue
		}
		if to := path.Join(path.Dir(name), m[1]); !exists(to) {
			found = append(found, fmt.Sprintf("%s: the link to %s leads nowhere. Mend it, or write the page.", name, m[1]))
		}
	}
	return found
}
