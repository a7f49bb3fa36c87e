package sim

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/longrein/longrein"
)

// compact is a compactor's answer: every needle that is visible, and how far the
// work is, so that a new window that begins with the summary alone goes on from
// there. Each summary tosses the coin of Forget anew for each needle. Asked by an
// item of the wire, it seals its summary, as a provider does.
func (b *beside) compact() reply {
	switch b.play.Act {
	case ActTools:
		return b.do(b.say("I look at it first.", ""), "exec_command", `{"command":"ls"}`)
	case ActNothing:
		return b.reply(place{})
	}
	r := b.say("# Summary of the simulated compactor", strings.Join(append(b.facts(nil, b.texts()), b.progress()), "\n"))
	if b.fork.sealed {
		r.text, r.compacted = "", r.text
	}
	return r
}

// compactionItem is what a provider makes of a summary, on the responses wire: an
// object that nobody else can read, and that comes back unchanged or is refused.
func compactionItem(id, summary string) string {
	content := seal(id, summary) + "." + base64.RawURLEncoding.EncodeToString([]byte(summary))
	return fmt.Sprintf(`{"type":"compaction","id":%s,"encrypted_content":%s}`, quote(id), quote(content))
}

// unseal turns a compaction item that comes back into a message that holds the
// summary; one that was changed is of no kind.
func (it *item) unseal() {
	at := strings.LastIndexByte(it.seal, '.')
	text, err := base64.RawURLEncoding.DecodeString(it.seal[at+1:])
	it.kind = itemForged
	if err == nil && at > 0 && it.seal[:at] == seal(it.id, string(text)) {
		it.kind, it.role = itemSaid, string(longrein.RoleUser)
		it.content = []byte(quote("<compaction>\n" + string(text) + "\n</compaction>"))
	}
	it.seal = ""
}
