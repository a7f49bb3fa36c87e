package sim

import "bytes"

// readResponses reads the body of POST /v1/responses.
func readResponses(body []byte) *prompt {
	p := &prompt{}
	var tools, input []byte
	members(body, func(k string, v []byte) {
		switch k {
		case "model":
			p.model = str(v)
		case "stream":
			p.stream = isTrue(v)
		case "prompt_cache_key":
			p.key = str(v)
		case "max_output_tokens":
			p.maxOutput = toCount(v)
		case "include":
			p.thinks = bytes.Contains(v, []byte(`"reasoning.encrypted_content"`))
		case "tools":
			tools = v
		case "instructions":
			p.system = v
		case "input":
			input = v
		}
	})
	p.add(tools)
	p.add(p.system)
	if kindOf(input) == '"' {
		p.items = append(p.items, item{kind: itemSaid, role: "user", content: input})
		p.add(input)
	}
	elements(input, func(v []byte) {
		p.add(v)
		it := responsesItem(v)
		it.group = len(p.items)
		p.items = append(p.items, it)
	})
	return p
}

func responsesItem(v []byte) item {
	it, kind := item{}, "message"
	members(v, func(k string, v []byte) {
		switch k {
		case "type":
			kind = str(v)
		case "role":
			it.role = str(v)
		case "id":
			if it.id == "" {
				it.id = str(v)
			}
		case "call_id":
			it.id = str(v)
		case "name":
			it.name = str(v)
		case "content", "arguments", "output", "summary":
			if len(v) > 0 && string(v) != "null" {
				it.content = v
			}
		case "encrypted_content":
			it.seal = str(v)
		}
	})
	it.kind = responsesKinds[kind]
	if kind == "compaction" {
		it.unseal()
	}
	return it
}

var responsesKinds = map[string]itemKind{
	"message":              itemSaid,
	"function_call":        itemCalled,
	"function_call_output": itemAnswered,
	"reasoning":            itemThought,
	"compaction_trigger":   itemTrigger,
}

// readChat reads the body of POST /v1/chat/completions.
func readChat(body []byte) *prompt {
	p := &prompt{}
	var tools, messages []byte
	members(body, func(k string, v []byte) {
		switch k {
		case "model":
			p.model = str(v)
		case "stream":
			p.stream = isTrue(v)
		case "stream_options":
			members(v, func(k string, v []byte) { p.usage = p.usage || k == "include_usage" && isTrue(v) })
		case "prompt_cache_key":
			p.key = str(v)
		case "max_completion_tokens", "max_tokens":
			p.maxOutput = toCount(v)
		case "tools":
			tools = v
		case "messages":
			messages = v
		}
	})
	p.add(tools)
	n := 0
	elements(messages, func(v []byte) {
		p.add(v)
		p.chatMessage(v, n)
		n++
	})
	return p
}

func (p *prompt) chatMessage(v []byte, group int) {
	said := item{kind: itemSaid, group: group}
	var calls []byte
	members(v, func(k string, v []byte) {
		switch k {
		case "role":
			said.role = str(v)
		case "content":
			said.content = v
		case "tool_call_id":
			said.id = str(v)
		case "tool_calls":
			calls = v
		}
	})
	if said.role == "tool" {
		said.kind = itemAnswered
	}
	if said.kind == itemAnswered || len(said.content) > 0 && string(said.content) != "null" {
		p.items = append(p.items, said)
	}
	elements(calls, func(v []byte) { p.items = append(p.items, chatCall(v, group)) })
}

func chatCall(v []byte, group int) item {
	it := item{kind: itemCalled, group: group}
	members(v, func(k string, v []byte) {
		switch k {
		case "id":
			it.id = str(v)
		case "function":
			members(v, func(k string, v []byte) {
				switch k {
				case "name":
					it.name = str(v)
				case "arguments":
					it.content = v
				}
			})
		}
	})
	return it
}
