package wire

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// digitID returns an id of exactly nine digits for id, always the same one.
func digitID(id string) string {
	if len(id) == 9 && strings.Trim(id, "0123456789") == "" {
		return id
	}
	return fmt.Sprintf("%09d", sum(id)%1e9)
}

// wordID returns id if it is made of letters, digits, '_' and '-', the only ids
// that the Messages wire takes, and otherwise such an id, always the same one.
func wordID(id string) string {
	const word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	if id != "" && strings.Trim(id, word) == "" {
		return id
	}
	return fmt.Sprintf("call_%016x", sum(id))
}

func sum(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}
