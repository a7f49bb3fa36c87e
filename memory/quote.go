package memory

import (
	"strings"

	"github.com/longrein/longrein"
)

// Quote is a user-side fragment of a text that others wrote. Whatever it says, it
// does not end the fragment: what stood behind that would pass for the user's words.
func Quote(tag longrein.Tag, text string) longrein.Fragment {
	end := "</" + string(tag)
	return longrein.Fragment{Tag: tag, Role: longrein.RoleUser, Text: strings.ReplaceAll(text, end, "< "+end[1:])}
}
