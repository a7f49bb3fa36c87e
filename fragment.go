package longrein

import "strings"

// Fragment is an item that the harness inserted. Tag says which kind; a user
// who types the same tag has written a [Message], not a Fragment.
type Fragment struct {
	Tag  Tag    `json:"tag"`
	Role Role   `json:"role"`
	Text string `json:"text"` // the body, without the tag around it
}

// Tag names a kind of fragment. The model sees <tag>…</tag>.
type Tag string

// The fragments there are; see [FragmentKinds].
const (
	TagEnvironment  Tag = "environment"
	TagInstructions Tag = "project_instructions"
	TagSkills       Tag = "skills"
	TagSkill        Tag = "skill"
	TagPermissions  Tag = "permissions"
	TagUserShell    Tag = "user_shell_command"
	TagInterrupted  Tag = "turn_interrupted"
	TagRestoredFile Tag = "files_put_back"
	TagSubAgent     Tag = "subagent_notification"
	TagMemory       Tag = "memory"
	TagGoal         Tag = "goal"
	TagHook         Tag = "hook_output"
	TagCarryOver    Tag = "carried_over"
	TagRole         Tag = "role_change"
	TagNotes        Tag = "notes"
	TagTodo         Tag = "todo"
	TagLedger       Tag = "ledger"
	TagPinned       Tag = "pinned"
	TagRestored     Tag = "restored"
	TagSummary      Tag = "earlier_conversation_summary"
	TagCompacted    Tag = "compaction_summary"
)

// Tier says how long something that the model sees lives.
type Tier string

// The tiers. Base instructions stand outside history and are part of every
// request. Initial context and developer messages begin every window, as they are
// then. A skill stays in the window in which it was mentioned. The user's messages
// are carried verbatim as far as their limits go. Work, which is all that the model
// and its tools made, lasts as long as its window.
const (
	TierBase      Tier = "base instructions"
	TierInitial   Tier = "initial context"
	TierSkill     Tier = "skills"
	TierDeveloper Tier = "developer messages"
	TierUser      Tier = "user messages"
	TierWork      Tier = "work"
)

// Tiers are all tiers, the longest life first.
var Tiers = []Tier{TierBase, TierInitial, TierDeveloper, TierUser, TierSkill, TierWork}

// FragmentKind is what is fixed for all fragments with one tag.
type FragmentKind struct {
	Tag  Tag
	Role Role // on whose authority it speaks
	Tier Tier
	What string // for people
}

// FragmentKinds are the kinds of fragments that the harness inserts. Any other tag
// is another tool's, from a session that was imported.
var FragmentKinds = []FragmentKind{
	{TagEnvironment, RoleUser, TierInitial, "where the model works; later ones say what changed"},
	{TagInstructions, RoleUser, TierInitial, "the AGENTS.md files; later ones say what changed"},
	{TagSkills, RoleUser, TierInitial, "the list of skills; later ones say what changed"},
	{TagMemory, RoleUser, TierInitial, "what is remembered over threads"},
	{TagNotes, RoleUser, TierInitial, "the thread's own notes"},
	{TagTodo, RoleUser, TierInitial, "the worker's own document"},
	{TagLedger, RoleUser, TierInitial, "what is known for certain"},
	{TagPinned, RoleUser, TierInitial, "an item that every window carries"},
	{TagSummary, RoleUser, TierInitial, "older turns, folded by rules"},
	{TagCompacted, RoleUser, TierInitial, "older turns, summed up by a model"},
	{TagCarryOver, RoleUser, TierInitial, "which items were taken along"},
	{TagPermissions, RoleDeveloper, TierDeveloper, "sandbox and approvals; later ones say what changed"},
	{TagGoal, RoleDeveloper, TierDeveloper, "an objective that is pursued over turns"},
	{TagRole, RoleUser, TierDeveloper, "gives a fork another role"},
	{TagSkill, RoleUser, TierSkill, "the whole text of a skill that was mentioned"},
	{TagUserShell, RoleUser, TierUser, "a command that the user ran, and its output"},
	{TagInterrupted, RoleUser, TierWork, "the user stopped the turn"},
	{TagRestoredFile, RoleUser, TierWork, "files were put back as they had been"},
	{TagSubAgent, RoleUser, TierWork, "a sub-agent has something to say"},
	{TagHook, RoleUser, TierWork, "what a hook printed"},
	{TagRestored, RoleUser, TierWork, "an old item, shown once more"},
}

// Kind returns the kind of fragments with that tag. Those of other tools' tags
// are the user's side of the work.
func (t Tag) Kind() FragmentKind {
	for _, k := range FragmentKinds {
		if k.Tag == t {
			return k
		}
	}
	return FragmentKind{Tag: t, Role: RoleUser, Tier: TierWork, What: "inserted by another tool"}
}

// NewFragment returns a fragment around a text that others may have written.
// Whatever it says, it does not end the fragment: what stood behind that would pass
// for the user's words.
func NewFragment(tag Tag, text string) Fragment {
	return Fragment{Tag: tag, Role: tag.Kind().Role, Text: unclosed(text, string(tag))}
}

// unclosed is a text with a space in whatever a model could take for the end of an
// element of that name: case does not matter to it, nor blanks before the name.
func unclosed(text, name string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "</")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte('<')
		if said := strings.TrimLeft(rest, " \t\r\n"); len(said) >= len(name) && strings.EqualFold(said[:len(name)], name) {
			b.WriteByte(' ')
		}
		b.WriteByte('/')
		text = rest
	}
}

// Rendered is the text that the model sees: the body between its tags.
func (f Fragment) Rendered() string {
	return "<" + string(f.Tag) + ">\n" + f.Text + "\n</" + string(f.Tag) + ">"
}

// ParseFragment reads what [Fragment.Rendered] gave for one of the [FragmentKinds];
// ok is false for any other text, also one in which something stands before, after
// or instead of a tag. It is for texts that are known to come from a harness: what
// a user typed is a [Message] whatever it looks like.
func ParseFragment(text string) (f Fragment, ok bool) {
	for _, k := range FragmentKinds {
		body, found := strings.CutPrefix(text, "<"+string(k.Tag)+">\n")
		if !found {
			continue
		}
		body, found = strings.CutSuffix(body, "\n</"+string(k.Tag)+">")
		if !found || strings.Contains(body, "</"+string(k.Tag)) {
			return Fragment{}, false
		}
		return Fragment{Tag: k.Tag, Role: k.Role, Text: body}, true
	}
	return Fragment{}, false
}

// TierOf says where in a request an entry belongs.
func TierOf(e Entry) Tier {
	switch it := e.Item.(type) {
	case Fragment:
		return it.Tag.Kind().Tier
	case Message:
		switch it.Role {
		case RoleUser:
			return TierUser
		case RoleDeveloper:
			return TierDeveloper
		}
	}
	return TierWork
}
