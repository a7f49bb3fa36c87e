package redact

import (
	"regexp"
	"sync"
)

// form is a kind of secret that can be told by how it looks. A match begins with
// one of the marks, so that most of a text is passed over fast.
type form struct {
	name  string
	marks []string
	// match is anchored at a mark. Its first group, or all of it, is the secret.
	match func() *regexp.Regexp
	// inside says that a match may begin within a word.
	inside bool
	// looks says that not all that matches is a secret: it must also look like one.
	looks bool
}

// at compiles a pattern when its mark is first seen: most of them never are.
func at(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A(?:` + pattern + `)`) })
}

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
	{name: "slack-token", marks: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-"}, match: at(`(?:xox[bparse]|xapp)-[A-Za-z0-9-]{10,}`)},
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
	{name: "age-key", marks: []string{"AGE-SECRET-KEY-1"}, match: at(`AGE-SECRET-KEY-1[0-9A-Z]{50,}`)},
	{name: "atlassian-token", marks: []string{"ATATT3", "ATCTT3"}, match: at(`AT[AC]TT3[A-Za-z0-9_=-]{50,}`)},
	{name: "databricks-token", marks: []string{"dapi"}, match: at(`dapi[0-9a-f]{32}\b`)},
	{name: "discord-webhook", marks: []string{"/api/webhooks/"}, inside: true, match: at(`/api/webhooks/[0-9]+/([A-Za-z0-9_-]{60,})`)},
	{name: "docker-token", marks: []string{"dckr_pat_", "dckr_oat_"}, match: at(`dckr_[po]at_[A-Za-z0-9_-]{20,}`)},
	{name: "figma-token", marks: []string{"figd_"}, match: at(`figd_[A-Za-z0-9_-]{30,}`)},
	{name: "grafana-token", marks: []string{"glsa_"}, match: at(`glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}`)},
	{name: "langsmith-key", marks: []string{"lsv2_"}, match: at(`lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}`)},
	{name: "linear-key", marks: []string{"lin_api_", "lin_oauth_"}, match: at(`lin_(?:api|oauth)_[A-Za-z0-9]{30,}`)},
	{name: "notion-token", marks: []string{"ntn_"}, match: at(`ntn_[A-Za-z0-9]{40,}`)},
	{name: "nvidia-key", marks: []string{"nvapi-"}, match: at(`nvapi-[A-Za-z0-9_-]{40,}`)},
	{name: "perplexity-key", marks: []string{"pplx-"}, match: at(`pplx-[A-Za-z0-9]{40,}`)},
	{name: "pulumi-token", marks: []string{"pul-"}, match: at(`pul-[0-9a-f]{40}\b`)},
	{name: "replicate-token", marks: []string{"r8_"}, match: at(`r8_[A-Za-z0-9]{30,}`)},
	{name: "shopify-token", marks: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, match: at(`shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`)},
	{name: "sourcegraph-token", marks: []string{"sgp_"}, match: at(`sgp_(?:[0-9a-zA-Z]+_)?[0-9a-f]{40}`)},
	{name: "square-token", marks: []string{"sq0csp-", "sq0atp-"}, match: at(`sq0(?:csp|atp)-[A-Za-z0-9_-]{22,}`)},
	{name: "supabase-token", marks: []string{"sbp_", "sb_secret_"}, match: at(`sb(?:p|_secret)_[A-Za-z0-9_-]{20,}`)},
	{name: "tailscale-key", marks: []string{"tskey-"}, match: at(`tskey-[a-z]+-[A-Za-z0-9-]{20,}`)},
	{name: "tavily-key", marks: []string{"tvly-"}, match: at(`tvly-[A-Za-z0-9-]{20,}`)},
	{name: "twilio-key", marks: []string{"SK"}, match: at(`SK[0-9a-f]{32}\b`)},
	{name: "json-web-token", marks: []string{"eyJ"}, match: at(`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`)},
	{name: "password", marks: []string{"://"}, inside: true, match: at(`://[^\s/@:"'<>]*:([^\s/@"'<>*${][^\s/@"'<>]{2,})@`)},
	{name: "bearer-token", marks: []string{"Bearer ", "bearer ", "BEARER "}, match: at(`(?i:bearer)\s+([A-Za-z0-9._~+/-]{16,}=*)`)},
	{name: "token", marks: []string{"Authorization: ", "authorization: "}, match: at(`[Aa]uthorization: (?:[Tt]oken|[Aa]pi-?[Kk]ey|[Bb]ot) ([A-Za-z0-9._~+/-]{16,}=*)`)},
	{name: "password", marks: []string{"machine "}, match: at(`machine\s+\S+\s+login\s+\S+\s+password\s+(\S+)`), looks: true},
	{name: "password", marks: []string{"assword>"}, inside: true, match: at(`assword>([^<>\s]+)</`), looks: true},
	{name: "password", marks: []string{"--password "}, match: at(`--password\s+["']?([^\s"']+)`), looks: true},
	{name: "token", marks: []string{"--token ", "--api-key ", "--secret "}, match: at(`--[a-z-]+\s+["']?([^\s"']+)`), looks: true},
	{name: "signature", marks: []string{"sig="}, match: at(`sig=([A-Za-z0-9+/%]{43,}=*)`)},
	{name: "basic-credentials", marks: []string{"Basic "}, match: at(`Basic\s+([A-Za-z0-9+/]{16,}=*)`)},
}
