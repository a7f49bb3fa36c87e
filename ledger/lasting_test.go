package ledger

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/longrein/longrein"
)

func TestLasting(t *testing.T) {
	for command, want := range map[string]string{
		// what cannot be taken back
		"git push":                                       "pushed to a remote (git push)",
		"git -C sub -c a=b push origin main":             "pushed to a remote (git push)",
		"cd x && git push --force":                       "pushed to a remote (git push)",
		"make test; git push || true":                    "pushed to a remote (git push)",
		"FOO=1 sudo -u me env A=b /usr/bin/git push":     "pushed to a remote (git push)",
		"bash -lc 'git push'":                            "pushed to a remote (git push)",
		`sh -c "echo hi; sh -c 'git push'"`:              "pushed to a remote (git push)",
		`echo "$(git push 2>&1)"`:                        "pushed to a remote (git push)",
		"echo `git push`":                                "pushed to a remote (git push)",
		"diff <(git push) x":                             "pushed to a remote (git push)",
		"if true; then git push; fi":                     "pushed to a remote (git push)",
		"for r in a b; do git push $r; done":             "pushed to a remote (git push)",
		"(git push)":                                     "pushed to a remote (git push)",
		"{ git push; }":                                  "pushed to a remote (git push)",
		"! git push":                                     "pushed to a remote (git push)",
		"git push &":                                     "pushed to a remote (git push)",
		"git push > log 2>&1":                            "pushed to a remote (git push)",
		"git push &>log":                                 "pushed to a remote (git push)",
		"eval 'git push'":                                "pushed to a remote (git push)",
		"timeout -k 5 60 git push":                       "pushed to a remote (git push)",
		"git ls-files | xargs -n 1 git push":             "pushed to a remote (git push)",
		"git \\\n  push":                                 "pushed to a remote (git push)",
		"bash <<EOF\ngit push\nEOF":                      "pushed to a remote (git push)",
		"git add -A && git commit -m 'x' && git push":    "changed the repository's commits, branches or index (git add), changed the repository's commits, branches or index (git commit), pushed to a remote (git push)",
		"git fetch":                                      "talked to a remote (git fetch)",
		"git send-email x.patch":                         "sent mail (git send-email)",
		"gh pr create --title x":                         "changed something at a code host (gh)",
		"gh api -X DELETE /repos/a/b":                    "changed something at a code host (gh)",
		"glab mr merge 3":                                "changed something at a code host (glab)",
		"npm publish":                                    "published a package (npm publish)",
		"npm i left-pad":                                 "installed or removed packages (npm i)",
		"npm run deploy:prod":                            "released or deployed something (npm)",
		"npx create-thing":                               "run a package from the network (npx)",
		"cargo publish --token secret":                   "published a package (cargo publish)",
		"python3 -m pip install x":                       "installed or removed packages (pip install)",
		"python -m twine upload dist/*":                  "published a package (twine upload)",
		"sudo apt-get install -y jq":                     "installed or removed packages (apt-get install)",
		"docker push me/x":                               "pushed an image (docker push)",
		"docker compose up -d":                           "changed containers or images (docker)",
		"curl https://api.example.com/v1?key=secret":     "called api.example.com (curl)",
		"curl -s -o out.txt https://me:pw@example.com/x": "called example.com (curl)",
		"curl -X POST https://example.com":               "sent data to example.com (curl)",
		"curl -XDELETE example.com/x":                    "sent data to example.com (curl)",
		"curl -d @f http://localhost:80/":                "sent data to localhost:80 (curl)",
		"curl -H 'a: b' --json '{}' $URL":                "sent data to another machine (curl)",
		"wget --post-data=x http://example.com":          "sent data to example.com (wget)",
		"http POST example.com a=b":                      "sent data to example.com (http)",
		"ssh host rm -rf /":                              "run something on another machine (ssh)",
		"scp a host:/b":                                  "copied files to or from another machine (scp)",
		"rsync -av -e ssh dist/ me@host:www":             "copied files to or from another machine (rsync)",
		"echo hi | mail -s x a@b.c":                      "sent mail (mail)",
		"kubectl -n x apply -f y.yaml":                   "changed a cluster (kubectl)",
		"terraform apply -auto-approve":                  "changed infrastructure (terraform apply)",
		"aws s3 cp a s3://b":                             "changed something in a cloud (aws)",
		"aws ec2 run-instances":                          "changed something in a cloud (aws)",
		"gcloud compute instances delete list":           "changed something in a cloud (gcloud)",
		"psql -c 'UPDATE t SET a=1'":                     "changed a database (psql)",
		"psql < dump.sql":                                "changed a database (psql)",
		"mysql -e \"drop table t\"":                      "changed a database (mysql)",
		"kill -9 1234":                                   "ended processes (kill)",
		"systemctl restart nginx":                        "changed services (systemctl)",
		"rm -rf ../other":                                "changed files outside of the folder (rm)",
		"rm -rf ~/x":                                     "changed files outside of the folder (rm)",
		"find . -name x -exec rm /etc/{} \\;":            "changed files outside of the folder (rm)",
		"find /etc -delete":                              "changed files outside of the folder (rm)",
		"cp a /etc/b":                                    "changed files outside of the folder (cp)",
		"echo x >> ~/.bashrc":                            "written a file outside of the folder",
		"dd if=x of=/dev/sda":                            "changed files outside of the folder (dd)",
		"stripe charges create --amount 5":               "moved money or changed an account (stripe)",
		"make -C sub release":                            "released or deployed something (make)",
		"crontab jobs":                                   "scheduled something (crontab)",
		"git push && git push":                           "pushed to a remote (git push)",
		"kubectl apply -f x --dry-run=none":              "changed a cluster (kubectl)",
		"cat <<'EOF' > x\ngit commit\nEOF\ngit push":     "pushed to a remote (git push)",
		"echo \"unclosed ; git push":                     "",

		// what can, or does nothing
		"git status":                          "",
		"git log --grep push":                 "",
		"git diff HEAD~1 -- push":             "",
		"git push --dry-run":                  "",
		"git push --help":                     "",
		"curl --version":                      "",
		"curl --help":                         "",
		"curl file:///etc/hosts":              "",
		"wget --version":                      "",
		"grep push Makefile":                  "",
		"grep -r 'git push' .":                "",
		"echo git push":                       "",
		"echo 'curl -X POST http://x'":        "",
		"# git push":                          "",
		"echo a#b; ls # git push":             "",
		"cat <<EOF\ngit push\nEOF":            "",
		"cat <<-'E'\n\tgit push\n\tE\nls":     "",
		"gh pr view 3":                        "",
		"npm test":                            "",
		"npm run build":                       "",
		"npm --version":                       "",
		"cargo build":                         "",
		"go test ./...":                       "",
		"pip list":                            "",
		"docker ps":                           "",
		"kubectl get pods":                    "",
		"kubectl apply -f x --dry-run=client": "",
		"terraform plan":                      "",
		"aws s3 ls":                           "",
		"gcloud compute instances list":       "",
		"psql -c 'select 1'":                  "",
		"kill -0 12":                          "",
		"kill -l":                             "",
		"systemctl status x":                  "",
		"rm -rf build":                        "",
		"rm /tmp/x":                           "",
		"find . -delete":                      "",
		"ls > /dev/null 2>&1":                 "",
		"make 2>/dev/null":                    "",
		"rsync -a a/ b/":                      "",
		"cp ../a b":                           "",
		"make release-notes-check >out 2>&1; true": "released or deployed something (make)",
		"stripe charges list":                      "",
		"sqlite3 a.db 'insert into t values (1)'":  "",
		"":                                "",
		"\x00$((1+2)) ${x:-y} ;;; ))) \"": "",
		"sudo":                            "",
		"timeout":                         "",
	} {
		args, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		if want != "" {
			want = "may have " + want
		}
		got, ok := Lasting(longrein.ToolCall{Name: "exec_command", Args: string(args)}, nil)
		if got != want || ok != (want != "") {
			t.Errorf("%q:\n got %q, %v\nwant %q", command, got, ok, want)
		}
	}
}

func TestLastingByTool(t *testing.T) {
	refused := &longrein.ToolOutput{Status: longrein.OutputRefused}
	unknown := &longrein.ToolOutput{Status: longrein.OutputUnknown}
	for name, c := range map[string]struct {
		call longrein.ToolCall
		out  *longrein.ToolOutput
		want string
	}{
		"a refused call did nothing":        {longrein.ToolCall{Name: "exec_command", Args: `{"command":"git push"}`}, refused, ""},
		"one that was cut off may have":     {longrein.ToolCall{Name: "exec_command", Args: `{"command":"git push"}`}, unknown, "may have pushed to a remote (git push)"},
		"another tool's shell":              {longrein.ToolCall{Name: "Bash", Args: `{"command":"git push"}`}, nil, "may have pushed to a remote (git push)"},
		"a command as words":                {longrein.ToolCall{Name: "shell", Args: `{"command":["bash","-lc","git push"]}`}, nil, "may have pushed to a remote (git push)"},
		"words that look like a text":       {longrein.ToolCall{Name: "shell", Args: `{"command":["echo","; git push"]}`}, nil, ""},
		"arguments that cannot be read":     {longrein.ToolCall{Name: "shell", Args: `{"command":`}, nil, ""},
		"a command of an unknown kind":      {longrein.ToolCall{Name: "shell", Args: `{"command":3}`}, nil, ""},
		"a file tool":                       {longrein.ToolCall{Name: "apply_patch", Args: `{"patch":"git push"}`}, nil, ""},
		"a tool that sends":                 {longrein.ToolCall{Name: "mcp__mail__send_message"}, nil, "may have done something outside (mcp__mail__send_message)"},
		"a tool whose name only looks like": {longrein.ToolCall{Name: "repost_finder"}, nil, ""},
	} {
		if got, ok := Lasting(c.call, c.out); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: got %q, %v, want %q", name, got, ok, c.want)
		}
	}
}

// A text of some kilobytes takes no time, however it is nested.
func TestLastingIsQuick(t *testing.T) {
	for _, part := range []string{"$(", "`", "\"$(", "find . -exec ", "sh -c '", "bash <<E\n", "sudo ", "a=$(b ", "eval ", "<(", "( ", "if ", "xargs -n 1 "} {
		args, err := json.Marshal(map[string]string{"command": strings.Repeat(part, 4000)})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, _ = Lasting(longrein.ToolCall{Name: "exec_command", Args: string(args)}, nil)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q took %v", part, took)
		}
	}
}

func FuzzLasting(f *testing.F) {
	for _, text := range []string{"git push", "a <<E\nx\nE\n", "$(`\"'\\", "sh -c \"$(x)\"", "((((", "<<", "<(", "$'"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		args, err := json.Marshal(map[string]string{"command": text})
		if err != nil {
			t.Skip()
		}
		what, ok := Lasting(longrein.ToolCall{Name: "exec_command", Args: string(args)}, nil)
		if ok != strings.HasPrefix(what, "may have ") {
			t.Errorf("got %q, %v", what, ok)
		}
	})
}
