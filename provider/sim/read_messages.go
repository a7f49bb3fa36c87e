package sim

// readMessages reads the body of POST /v1/messages.
func readMessages(body []byte) *prompt {
	p := &prompt{}
	var tools, messages []byte
	members(body, func(k string, v []byte) {
		switch k {
		case "model":
			p.model = str(v)
		case "stream":
			p.stream = isTrue(v)
		case "max_tokens":
			p.maxOutput = toCount(v)
		case "thinking":
			members(v, func(k string, v []byte) { p.thinks = p.thinks || k == "type" && str(v) != "disabled" })
		case "cache_control":
			p.lastBreak = kindOf(v) == '{'
		case "tools":
			tools = v
		case "system":
			p.system = v
		case "messages":
			messages = v
		}
	})
	elements(tools, p.addBlock)
	p.addContent(p.system)
	n := 0
	elements(messages, func(v []byte) {
		p.message(v, n)
		n++
	})
	return p
}

func (p *prompt) message(v []byte, group int) {
	var role, content []byte
	members(v, func(k string, v []byte) {
		switch k {
		case "role":
			role = v
		case "content":
			content = v
		}
	})
	p.addContent(content)
	if kindOf(content) == '"' {
		p.items = append(p.items, item{kind: itemSaid, role: str(role), content: content, group: group})
		return
	}
	elements(content, func(v []byte) {
		it := messagesBlock(v)
		it.role, it.group = str(role), group
		p.items = append(p.items, it)
	})
}

func messagesBlock(v []byte) item {
	it, kind := item{}, ""
	members(v, func(k string, v []byte) {
		switch k {
		case "type":
			kind = str(v)
		case "id", "tool_use_id":
			it.id = str(v)
		case "name":
			it.name = str(v)
		case "text", "thinking", "content", "input":
			it.content = v
		case "signature":
			it.seal = str(v)
		}
	})
	it.kind = messagesKinds[kind]
	return it
}

var messagesKinds = map[string]itemKind{
	"text":        itemSaid,
	"tool_use":    itemCalled,
	"tool_result": itemAnswered,
	"thinking":    itemThought,
}

// addContent adds content, a string or blocks. A string is the same prompt as
// one block of text.
func (p *prompt) addContent(content []byte) {
	if kindOf(content) == '"' {
		p.parts = append(p.parts, part{pieces: [3][]byte{textHead, content, textTail}})
		return
	}
	elements(content, p.addBlock)
}

var (
	textHead = []byte(`{"type":"text","text":`)
	textTail = []byte(`}`)
)

// addBlock adds a block without its cache_control, which is no part of what the
// model reads: a breakpoint may move from request to request.
func (p *prompt) addBlock(block []byte) {
	q := part{pieces: [3][]byte{block}}
	spans(block, func(key, value, end int) {
		if string(block[key:min(key+len(cacheControl), len(block))]) == cacheControl {
			q.stop = block[value] == '{'
			q.pieces[0], q.pieces[1] = without(block, key, end)
		}
	})
	p.parts = append(p.parts, q)
}

const cacheControl = `"cache_control"`

// without returns what is before and after the member of b from key to end, with
// one of the commas around it gone.
func without(b []byte, key, end int) (head, tail []byte) {
	before := key
	for before > 0 && b[before-1] <= ' ' {
		before--
	}
	if before > 0 && b[before-1] == ',' {
		return b[:before-1], b[end:]
	}
	return b[:key], b[next(b, end):]
}
