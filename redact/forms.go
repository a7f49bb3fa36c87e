package redact

import "regexp"

// form is a kind of secret that can be told by how it looks. A match begins with
// one of the marks, so that most of a text is passed over fast.
type form struct {
	name  string
	marks []string
	// match is anchored at a mark. Its first group, or all of it, is the secret.
	match *regexp.Regexp
	// inside says that a match may begin within a word.
	inside bool
}

func at(pattern string) *regexp.Regexp { return regexp.MustCompile(`\A(?:` + pattern + `)`) }

// forms are the well-known ones, by the documentation of those who hand them out.
var forms = []form{
	{name: "aws-key-id", marks: []string{"AKIA", "ASIA", "ABIA", "ACCA"}, match: at(`A[KSBC][ICA]A[A-Z2-7]{16}\b`)},
	{name: "github-token", marks: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, match: at(`gh[pousr]_[A-Za-z0-9]{36,255}`)},
	{name: "github-token", marks: []string{"github_pat_"}, match: at(`github_pat_[A-Za-z0-9_]{36,255}`)},
	{name: "gitlab-token", marks: []string{"glpat-", "gldt-", "glrt-"}, match: at(`gl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,}`)},
	{name: "anthropic-key", marks: []string{"sk-ant-"}, match: at(`sk-ant-[A-Za-z0-9_-]{20,}`)},
	{name: "openrouter-key", marks: []string{"sk-or-"}, match: at(`sk-or-[A-Za-z0-9_-]{20,}`)},
	{name: "openai-key", marks: []string{"sk-"}, match: at(`sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}`)},
	{name: "stripe-key", marks: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"}, match: at(`(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}`)},
	{name: "slack-token", marks: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-"}, match: at(`(?:xox[bpars]|xapp)-[A-Za-z0-9-]{10,}`)},
	{name: "slack-webhook", marks: []string{"https://hooks.slack.com/services/"}, inside: true, match: at(`https://hooks\.slack\.com/services/([A-Za-z0-9/]{20,})`)},
	{name: "google-key", marks: []string{"AIza"}, match: at(`AIza[A-Za-z0-9_-]{35}`)},
	{name: "google-token", marks: []string{"ya29."}, match: at(`ya29\.[A-Za-z0-9_-]{20,}`)},
	{name: "google-secret", marks: []string{"GOCSPX-"}, match: at(`GOCSPX-[A-Za-z0-9_-]{20,}`)},
	{name: "npm-token", marks: []string{"npm_"}, match: at(`npm_[A-Za-z0-9]{36}`)},
	{name: "pypi-token", marks: []string{"pypi-"}, match: at(`pypi-[A-Za-z0-9_-]{50,}`)},
	{name: "huggingface-token", marks: []string{"hf_"}, match: at(`hf_[A-Za-z0-9]{30,}`)},
	{name: "sendgrid-key", marks: []string{"SG."}, match: at(`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`)},
	{name: "digitalocean-token", marks: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, match: at(`do[por]_v1_[0-9a-f]{64}`)},
	{name: "xai-key", marks: []string{"xai-"}, match: at(`xai-[A-Za-z0-9]{40,}`)},
	{name: "groq-key", marks: []string{"gsk_"}, match: at(`gsk_[A-Za-z0-9]{40,}`)},
	{name: "vault-token", marks: []string{"hvs.", "hvb."}, match: at(`hv[sb]\.[A-Za-z0-9_-]{20,}`)},
	{name: "telegram-token", marks: []string{":AA"}, inside: true, match: at(`:(AA[A-Za-z0-9_-]{33})\b`)},
	{name: "json-web-token", marks: []string{"eyJ"}, match: at(`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`)},
	{name: "password", marks: []string{"://"}, inside: true, match: at(`://[^\s/@:"'<>]*:([^\s/@"'<>]{3,})@`)},
	{name: "bearer-token", marks: []string{"Bearer ", "bearer "}, match: at(`[Bb]earer\s+([A-Za-z0-9._~+/-]{16,}=*)`)},
	{name: "basic-credentials", marks: []string{"Basic "}, match: at(`Basic\s+([A-Za-z0-9+/]{16,}=*)`)},
}
