package ledger

import (
	"slices"
	"strings"
)

// program is what is known of one, or of several that are alike.
type program struct {
	names string
	// verbs say what it does by its arguments. The first word that one of them
	// names decides, of as many words as deep says, 1 for 0. "*" is for what no
	// other names.
	verbs []verb
	deep  int
	// valued are the options in front of a verb that take a value.
	valued string
	// judge looks at the arguments where verbs do not say enough; they still decide
	// when it returns "".
	judge func(args []string) string
}

// verb is what some words make a program do; "" is nothing that lasts.
type verb struct{ words, does string }

// What several programs do.
const (
	pushes   = "pushed to a remote"
	talks    = "talked to a remote"
	commits  = "changed the repository's commits, branches or index"
	installs = "installed or removed packages"
	runs     = "run a package from the network"
	releases = "published a package"
	images   = "pushed an image"
	cluster  = "changed a cluster"
	cloud    = "changed something in a cloud"
	machines = "changed other machines"
	afar     = "talked to another machine"
	copies   = "copied files to or from another machine"
	mails    = "sent mail"
	messages = "sent a message"
	data     = "changed a database"
	money    = "moved money or changed an account"
	ends     = "ended processes"
	stops    = "stopped the machine"
	disks    = "changed disks"
	system   = "changed the system"
	service  = "changed services"
	plans    = "scheduled something"
	files    = "changed files outside of the folder"
)

// reads are verbs that only read, in many programs.
const reads = "describe list get ls show head wait logs log whoami status info search view diff plan validate fmt explain top cat version help check checks history inspect events"

func always(does string) []verb { return []verb{{"*", does}} }

// programs are those whose effects last.
var programs = []program{
	{names: "git", valued: "-C -c --git-dir --work-tree --namespace --exec-path", verbs: []verb{
		{"push send-pack", pushes},
		{"send-email", mails},
		{"fetch pull clone ls-remote submodule lfs svn p4", talks},
		{"commit merge rebase reset tag branch checkout switch stash cherry-pick revert am gc prune update-ref filter-branch worktree notes replace add rm mv restore", commits},
	}},
	{names: "hg svn bzr", verbs: []verb{{"push", pushes}, {"ci commit import copy mkdir delete", commits}, {"pull update up checkout co clone", talks}}},
	{names: "jj", deep: 2, verbs: []verb{{"push", pushes}, {"fetch clone", talks}, {"log status diff show", ""}, {"*", commits}}},
	{names: "gh glab hub tea", valued: "-R --repo", deep: 2, verbs: []verb{{reads + " auth browse", ""}, {"*", "changed something at a code host"}}},

	{names: "npm pnpm yarn bun", valued: "--prefix -C --filter -w --workspace", judge: script, verbs: []verb{
		{"publish unpublish deprecate dist-tag owner access", releases},
		{"install i ci add remove rm uninstall update upgrade", installs},
		{"exec dlx create init x", runs},
	}},
	{names: "npx bunx uvx", verbs: always(runs)},
	{names: "cargo", verbs: []verb{{"publish yank owner", releases}, {"install uninstall", installs}}},
	{names: "pip pip3 pipx", verbs: []verb{{"install uninstall download upgrade inject", installs}, {"run", runs}}},
	{names: "uv poetry pdm", deep: 2, verbs: []verb{{"publish", releases}, {"run", ""}, {"install uninstall add remove sync update", installs}}},
	{names: "gem bundle", verbs: []verb{{"push yank", releases}, {"install uninstall update add", installs}}},
	{names: "go", verbs: []verb{{"install get", installs}}},
	{names: "twine", verbs: []verb{{"upload", releases}}},
	{names: "mvn gradle gradlew", deep: 4, verbs: []verb{{"deploy publish", releases}}},
	{names: "dotnet", deep: 2, verbs: []verb{{"push", releases}, {"install", installs}}},
	{names: "apt apt-get aptitude dnf yum apk brew zypper snap flatpak choco winget scoop port conda mamba", verbs: []verb{
		{"install remove purge upgrade dist-upgrade full-upgrade autoremove update add del delete uninstall reinstall create", installs},
	}},
	{names: "pacman dpkg rpm nix-env", verbs: always(installs)},

	{names: "docker podman nerdctl docker-compose", valued: "-f --file -H --host --context -p", deep: 2, verbs: []verb{
		{"push login", images}, {reads + " ps images stats port", ""}, {"*", "changed containers or images"},
	}},
	{names: "skopeo crane", verbs: []verb{{"copy push delete tag sync", images}}},
	{names: "helm", verbs: []verb{{"install upgrade uninstall rollback push delete", cluster}}},
	{names: "kubectl oc", valued: "-n --namespace --context -f --kubeconfig -l", verbs: []verb{{reads + " api-resources cluster-info", ""}, {"*", cluster}}},
	{names: "terraform tofu pulumi terragrunt cdk serverless", deep: 2, verbs: []verb{
		{"apply destroy import taint untaint rm mv up refresh deploy remove cancel", "changed infrastructure"},
	}},
	{names: "aws gcloud az doctl fly flyctl heroku vercel netlify wrangler firebase supabase hcloud gsutil s3cmd rclone railway", judge: clouds},
	{names: "ansible ansible-playbook fab cap", verbs: always(machines)},

	{names: "curl wget http https xh", judge: webCall},
	{names: "scp rsync", judge: remoteCopy},
	{names: "sftp ftp lftp", verbs: always(copies)},
	{names: "ssh mosh", verbs: always("run something on another machine")},
	{names: "nc ncat netcat socat telnet", verbs: always(afar)},
	{names: "mail mailx sendmail msmtp mutt swaks s-nail", verbs: always(mails)},
	{names: "ntfy slackcat telegram-send wall twilio", verbs: always(messages)},

	{names: "psql mysql mariadb mongosh sqlcmd clickhouse-client cqlsh", judge: query},
	{names: "redis-cli", valued: "-h -p -a -n -u", verbs: []verb{{"get keys info ping scan ttl GET KEYS INFO PING SCAN TTL", ""}, {"*", data}}},
	{names: "createdb dropdb pg_restore mongorestore", verbs: always(data)},
	{names: "alembic flyway prisma", deep: 2, verbs: []verb{{"upgrade downgrade stamp migrate clean repair push deploy reset", data}}},
	{names: "stripe paypal", deep: 2, verbs: []verb{{reads + " retrieve listen login", ""}, {"*", money}}},
	{names: "bitcoin-cli", verbs: []verb{{"sendtoaddress sendmany send sendrawtransaction", money}}},

	{names: "kill", judge: kill},
	{names: "pkill killall", verbs: always(ends)},
	{names: "systemctl launchctl supervisorctl", verbs: []verb{{reads + " is-active is-enabled list-units list-unit-files print", ""}, {"*", service}}},
	{names: "service", deep: 2, verbs: []verb{{"status", ""}, {"*", service}}},
	{names: "shutdown reboot poweroff halt", verbs: always(stops)},
	{names: "at batch", verbs: always(plans)},
	{names: "crontab", judge: crontab},
	{names: "umount mkfs fdisk parted", verbs: always(disks)},
	{names: "useradd userdel usermod passwd iptables nft", verbs: always(system)},
	{names: "rm rmdir mv tee mkdir touch chmod chown truncate shred unlink", judge: changesAny},
	{names: "cp ln install", judge: changesLast},
	{names: "dd", judge: changesOutput},
	{names: "make just task rake invoke fastlane", judge: target},
}

// known are the programs by their names.
var known = func() map[string]program {
	all := map[string]program{}
	for _, p := range programs {
		for name := range strings.FieldsSeq(p.names) {
			all[name] = p
		}
	}
	return all
}()

// does says what a program with these arguments may have done, "" for nothing that
// lasts.
func (p program) does(name string, args []string) string {
	if p.judge != nil {
		if does := p.judge(args); does != "" {
			return does + " (" + name + ")"
		}
	}
	words := positionals(args, p.valued)
	for _, w := range words[:min(len(words), max(1, p.deep))] {
		for _, v := range p.verbs {
			if !slices.Contains(strings.Fields(v.words), w) {
				continue
			}
			if v.does == "" {
				return ""
			}
			return v.does + " (" + name + " " + w + ")"
		}
	}
	if n := len(p.verbs); n > 0 && p.verbs[n-1].words == "*" {
		return p.verbs[n-1].does + " (" + name + ")"
	}
	return ""
}

// positionals returns the arguments that are no options, nor the values of those
// that take one.
func positionals(args []string, valued string) []string {
	var words []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains(strings.Fields(valued), a):
			i++
		case !strings.HasPrefix(a, "-"):
			words = append(words, a)
		}
	}
	return words
}
