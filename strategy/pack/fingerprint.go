package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// fingerprint is a summary's fingerprint. It stands in the summary's first line, so that
// it goes where the text goes: two summaries with the same print are the same, but
// for the version of the rules.
type fingerprint struct {
	Lo, F int    // turns after Lo and up to F are in it
	Rules int    // that made it
	Last  int64  // record of the last item of turn F
	Hash  string // over all that feeds it, 12 hexadecimal digits
}

const fingerprintForm = "Turns %d to %d of this thread, by rules %d, up to #%d, %12s.\n"

// String returns the summary's first line.
func (p fingerprint) String() string {
	return fmt.Sprintf(fingerprintForm, p.Lo+1, p.F, p.Rules, p.Last, p.Hash)
}

// readFingerprint reads the first line of a summary.
func readFingerprint(text string) (p fingerprint, ok bool) {
	n, _ := fmt.Sscanf(text, fingerprintForm, &p.Lo, &p.F, &p.Rules, &p.Last, &p.Hash)
	p.Lo--
	return p, n == 5
}

// fingerprintOf returns the print of a summary that may have most characters.
func fingerprintOf(s summary, f, most int) fingerprint {
	p := fingerprint{Lo: f - len(s.rows), F: f, Rules: rules}
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode([]any{s.first, s.dropped, s.names, most}) // a hash takes all
	for _, r := range s.rows {
		_ = enc.Encode(r)
		p.Last = r.Last
	}
	p.Hash = hex.EncodeToString(h.Sum(nil))[:12] // fixed: it only tells summaries apart
	return p
}

// differs says why the summary with the print old cannot stand for that with p, ""
// if it can. Rules may be older: they count from the next fold on.
func (p fingerprint) differs(old fingerprint) string {
	switch {
	case p.F != old.F:
		return "turns were folded"
	case p.Lo != old.Lo:
		return "another number of turns is considered"
	case p.Last != old.Last, p.Hash != old.Hash:
		return "what it is made of has changed"
	}
	return ""
}
