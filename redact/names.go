package redact

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// SecretName reports whether a variable of that name holds a secret, as far as its
// words tell: API_KEY, dbPassword, github.token, but not max_tokens or token_count.
func SecretName(name string) bool {
	if !hasStem(name) {
		return false
	}
	words := wordsOf(name)
	if len(words) == 0 || slices.Contains(aboutSecrets, words[len(words)-1]) {
		return false
	}
	for i, w := range words {
		if slices.Contains(secretWords, w) || strings.HasSuffix(w, "password") { // PGPASSWORD too
			return true
		}
		if i > 0 && (w == "pass" || w == "pwd" && words[0] != "old") { // PWD and OLDPWD are folders, PASS is a test's
			return true
		}
		if w == "key" && i > 0 && slices.Contains(secretKeys, words[i-1]) {
			return true
		}
	}
	return false
}

var (
	secretWords = []string{
		"secret", "secrets", "token", "password", "passwd", "passphrase", "apikey", "authkey",
		"accesskey", "privatekey", "secretkey", "credential", "credentials",
	}
	secretKeys   = []string{"api", "access", "private", "secret", "auth", "encryption", "signing", "master", "account", "deploy", "license", "ssh", "storage", "shared", "stripe"}
	aboutSecrets = []string{
		"hash", "id", "ids", "count", "limit", "name", "type", "kind", "url", "uri", "file", "path", "env", "len",
		"length", "size", "index", "ttl", "expiry", "expires", "format", "regex", "prefix", "policy", "rules", "field",
	}
)

// stems are in every name that holds a secret; most names have none.
var stems = []string{"secret", "token", "pass", "pwd", "key", "cred"}

func hasStem(name string) bool {
	for i := range len(name) {
		for _, stem := range stems {
			if name[i]|0x20 == stem[0] && len(name)-i >= len(stem) && strings.EqualFold(name[i:i+len(stem)], stem) {
				return true
			}
		}
	}
	return false
}

// wordsOf divides a name at marks and where case changes, in lower case.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	var before rune
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
		} else {
			if unicode.IsUpper(r) && unicode.IsLower(before) {
				end()
			}
			word = append(word, r)
		}
		before = r
	}
	end()
	return words
}

// What a value must have to pass for made by a machine, when nothing else but the
// name of its variable speaks for it. Words and names of things stay below.
const (
	leastLength  = 8   // fixed: shorter ones are words and numbers
	leastEntropy = 2.8 // fixed: bits a character; English words of this length have about 2.5
)

// looksSecret reports whether a value looks like one that nobody should see.
func looksSecret(value string) bool {
	return len(value) >= leastLength && mixed(value) && entropy(value) >= leastEntropy
}

// mixed reports whether a text has letters and something that words have not.
func mixed(value string) bool {
	var letter, other, digit, blank bool
	for _, r := range value {
		digit, blank = digit || r >= '0' && r <= '9', blank || r == ' '
		switch {
		case r >= '0' && r <= '9', strings.ContainsRune("!#$%^&*+/=~|?@", r):
			other = true
		case unicode.IsLetter(r):
			letter = true
		case r == '(' || r == '{' || r == '[':
			return false // code, or a placeholder
		}
	}
	return letter && other && (digit || !blank) // words with a mark between them are prose
}

// entropy is Shannon's, in bits a character.
func entropy(text string) float64 {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	var sum float64
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
