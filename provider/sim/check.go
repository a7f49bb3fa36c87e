package sim

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"

	"github.com/longrein/longrein"
)

// check says what a provider would refuse about the request: calls without
// outputs, outputs without calls, reasoning that was changed, and what the
// messages wire demands beyond that.
func (p *prompt) check() *problem {
	if p.model == "" {
		return badRequest("model", "you must provide a model")
	}
	for _, f := range []func(*prompt) *problem{checkMessages, checkPairs, checkSeals} {
		if bad := f(p); bad != nil {
			return bad
		}
	}
	return nil
}

// maxBreakpoints is how many cache breakpoints the messages wire takes.
const maxBreakpoints = 4 // fixed: the wire has it so

func checkMessages(p *prompt) *problem {
	if p.wire != longrein.WireMessages {
		return nil
	}
	if p.maxOutput == 0 {
		return badRequest("max_tokens", "max_tokens: Field required")
	}
	n := 0
	for _, q := range p.parts {
		if q.stop {
			n++
		}
	}
	if n > maxBreakpoints {
		return badRequest("cache_control", "A maximum of %d blocks with cache_control may be provided. Found %d.", maxBreakpoints, n)
	}
	for _, it := range p.items {
		if it.kind == itemSaid && string(it.content) == `""` {
			return badRequest("messages", "messages.%d: text content blocks must be non-empty", it.group)
		}
	}
	return nil
}

// checkPairs follows the calls that wait for their output. On the responses wire
// an output may come any time later; on the others before anything else.
func checkPairs(p *prompt) *problem {
	open := map[string]bool{} // ids of calls without an output yet
	group := -1
	for _, it := range p.items {
		if it.kind == itemAnswered {
			if !open[it.id] {
				return badRequest("input", "No tool call found for tool output with call id %s.", it.id)
			}
			delete(open, it.id)
			continue
		}
		if it.group != group && p.wire != longrein.WireResponses {
			if bad := unanswered(open); bad != nil {
				return bad
			}
		}
		group = it.group
		if it.kind == itemCalled {
			open[it.id] = true
		}
	}
	return unanswered(open)
}

// unanswered refuses a request in which calls are open, and names one of them.
func unanswered(open map[string]bool) *problem {
	if len(open) == 0 {
		return nil
	}
	id := slices.Min(slices.Collect(maps.Keys(open)))
	return badRequest("input", "No tool output found for tool call %s.", id)
}

// checkSeals refuses reasoning that does not come back as it was sent.
func checkSeals(p *prompt) *problem {
	for _, it := range p.items {
		if it.kind == itemForged {
			return badRequest("input", "The encrypted content of compaction item %q could not be verified.", it.id)
		}
		if it.kind != itemThought || it.seal == "" && p.wire != longrein.WireMessages {
			continue
		}
		if it.seal == seal(it.id, it.text()) {
			continue
		}
		bad := badRequest("input", "The encrypted content of reasoning item %q could not be verified.", it.id)
		bad.code = "invalid_encrypted_content"
		if p.wire == longrein.WireMessages {
			bad.message = "Invalid `signature` in `thinking` block"
		}
		return bad
	}
	return nil
}

// seal stands in for encrypted reasoning and for signatures: it proves that the
// item with this id and text is the one that was sent.
func seal(id, text string) string {
	sum := sha256.Sum256([]byte("simulated reasoning\x00" + id + "\x00" + text))
	return "sim." + base64.RawURLEncoding.EncodeToString(sum[:])
}
