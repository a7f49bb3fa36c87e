package ledger

import (
	"path"
	"slices"
	"strings"
)

// script judges what a package's scripts are called.
func script(args []string) string {
	words := positionals(args, "--prefix -C --filter -w --workspace")
	if len(words) > 1 && (words[0] == "run" || words[0] == "run-script") {
		return target(words[1:2])
	}
	return ""
}

// target judges by names that people give to what goes out.
func target(args []string) string {
	for _, word := range positionals(args, "-C -f -j --file --directory") {
		for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return strings.ContainsRune("-_:/.", r) }) {
			if slices.Contains([]string{"deploy", "publish", "release", "push", "upload", "migrate", "rollback"}, part) {
				return "released or deployed something"
			}
		}
	}
	return ""
}

// clouds judges by the first word that says what is done, as in run-instances.
func clouds(args []string) string {
	const changes = "create delete put update run start stop terminate deploy apply set add remove cp mv rm rb mb sync push rollback scale restart invoke send publish copy move destroy launch up down"
	const first = 5 // a verb stands behind up to four names of parts
	words := positionals(args, "--profile --region --project -g --subscription -a --app")
	for _, word := range words[:min(len(words), first)] {
		word, _, _ = strings.Cut(word, "-")
		word, _, _ = strings.Cut(word, ":")
		switch {
		case slices.Contains(strings.Fields(reads), word):
			return ""
		case slices.Contains(strings.Fields(changes), word):
			return cloud
		}
	}
	return ""
}

// Options of curl and its like that take a value, and of these the ones that send
// something.
const (
	webValued = "-o --output -H --header -A -e -u --user -x --proxy -b --cookie -c --cookie-jar -m --max-time --connect-timeout -w --write-out --retry --cacert --cert --key -r -E --resolve -P -K --config -X --request --method " + webSends
	webSends  = "-d --data --data-raw --data-binary --data-urlencode --data-ascii -F --form -T --upload-file --json --post-data --post-file --body-data --body-file"
)

// webCall tells calls that send something from those that only ask.
func webCall(args []string) string {
	words := positionals(args, webValued)
	if len(words) == 0 {
		return ""
	}
	sends := strings.ToUpper(words[0]) == words[0] && writes(words[0]) || method(args) // http POST …
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		sends = sends || slices.Contains(strings.Fields(webSends), name) || len(a) > 2 && (strings.HasPrefix(a, "-d") || strings.HasPrefix(a, "-F"))
	}
	to := host(words)
	switch {
	case strings.HasPrefix(words[0], "file://"):
		return ""
	case sends:
		return "sent data to " + to
	}
	return "called " + to
}

func writes(method string) bool {
	return slices.Contains([]string{"POST", "PUT", "DELETE", "PATCH"}, strings.ToUpper(method))
}

// method reports whether options ask for a method that writes.
func method(args []string) bool {
	for i, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if !ok && i+1 < len(args) {
			value = args[i+1]
		}
		if (name == "-X" || name == "--request" || name == "--method") && writes(value) || strings.HasPrefix(a, "-X") && writes(a[2:]) {
			return true
		}
	}
	return false
}

// host returns whom an address names, without a user or a password.
func host(words []string) string {
	word := words[0]
	if len(words) > 1 && !strings.ContainsAny(word, ".:/") {
		word = words[1] // behind a method
	}
	if _, rest, ok := strings.Cut(word, "://"); ok {
		word = rest
	}
	if i := strings.IndexAny(word, "/?#"); i >= 0 {
		word = word[:i]
	}
	word = word[strings.LastIndexByte(word, '@')+1:]
	const longest = 253 // fixed: no host's name is longer
	// fixed: see longest
	if word == "" || len(word) > longest || strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(".-:[]", r)
	}) {
		return "another machine"
	}
	return word
}

// remoteCopy takes host:path and addresses.
func remoteCopy(args []string) string {
	for _, word := range positionals(args, "-e -i -P -o -F --exclude --include --filter --rsh") {
		before, _, ok := strings.Cut(word, ":")
		if ok && before != "" && !strings.Contains(before, "/") {
			return copies
		}
	}
	return ""
}

// query judges the text for a database. Without one, it comes from elsewhere.
func query(args []string) string {
	text := ""
	for i, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if !ok && i+1 < len(args) {
			value = args[i+1]
		}
		if slices.Contains([]string{"-c", "-e", "-q", "-Q", "--command", "--execute", "--eval", "--query"}, name) {
			text += " " + value
		}
	}
	if text == "" && !slices.Contains(args, "-l") && !slices.Contains(args, "--list") {
		return data
	}
	const changes = "insert update delete drop alter create truncate grant revoke merge replace call copy do vacuum set insertone insertmany updateone updatemany deleteone deletemany dropdatabase"
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if slices.Contains(strings.Fields(changes), word) {
			return data
		}
	}
	return ""
}

// kill does nothing when it lists signals, or asks whether a process is there.
func kill(args []string) string {
	if len(args) == 0 || args[0] == "-l" || args[0] == "-L" || args[0] == "-0" || args[0] == "--list" {
		return ""
	}
	return ends
}

func crontab(args []string) string {
	if slices.Contains(args, "-l") {
		return ""
	}
	return plans
}

// changesAny is for programs that change each file that they are given.
func changesAny(args []string) string {
	if slices.ContainsFunc(positionals(args, "-t"), outside) {
		return files
	}
	return ""
}

// changesLast is for those that change the last.
func changesLast(args []string) string {
	words := positionals(args, "-m -o -g")
	if len(words) > 0 && outside(words[len(words)-1]) {
		return files
	}
	return ""
}

func changesOutput(args []string) string {
	for _, a := range args {
		if of, ok := strings.CutPrefix(a, "of="); ok && outside(of) {
			return files
		}
	}
	return ""
}

// outside reports whether a path looks as if it left the folder. Which folder that
// is is not known here, so an absolute path counts as outside.
func outside(file string) bool {
	for _, in := range []string{"/tmp/", "/var/tmp/", "/proc/self/", "/dev/null", "/dev/std", "/dev/tty", "/dev/fd/", "/dev/shm/"} {
		if strings.HasPrefix(file, in) {
			return false
		}
	}
	for _, out := range []string{"/", "~", "$HOME", "${HOME}"} {
		if strings.HasPrefix(file, out) {
			return true
		}
	}
	clean := path.Clean(file)
	return clean == ".." || strings.HasPrefix(clean, "../")
}
