package tool

// Approval names a built-in policy.
type Approval string

// The built-in policies differ in what is asked for.
const (
	// Never asks: what the sandbox does not hold is refused.
	Never Approval = "never"
	// OnRequest asks for what the sandbox does not hold. It is the default.
	OnRequest Approval = "on-request"
	// OnFailure also asks to run again, without the sandbox, what the sandbox
	// seems to have stopped.
	OnFailure Approval = "on-failure"
	// Untrusted asks for everything that is not known to be read-only.
	Untrusted Approval = "untrusted"
)

// Action is something that a tool is about to do.
type Action struct {
	Tool string
	Text string // what would be done, as a person reads it
	// Held says that nothing holds it back from running: the sandbox keeps it to
	// the rules, or there are none. Why says what it would do beyond them.
	Held bool
	Why  string
	// ReadOnly actions are known to change nothing.
	ReadOnly bool
	// Retry says that the action ran in the sandbox and failed, as it seems
	// because of it, and would now run without.
	Retry bool
}

// Policy decides what becomes of an action. Decide must be safe for concurrent
// use.
type Policy interface{ Decide(Action) Decision }

// Decision is a policy's answer: [Allow], [Ask] or [Refuse].
type Decision interface{ decision() }

// Allow lets an action run.
type Allow struct{}

// Ask lets it run if somebody says yes. Reason says why it is asked.
type Ask struct{ Reason string }

// Refuse does not let it run. Reason is for the model.
type Refuse struct{ Reason string }

func (Allow) decision()  {}
func (Ask) decision()    {}
func (Refuse) decision() {}

// Decide is the built-in policy of that name.
func (p Approval) Decide(a Action) Decision {
	switch {
	case a.Retry && p != OnFailure:
		return Refuse{"it ran in the sandbox"}
	case p == Untrusted && a.Held && !a.ReadOnly:
		return Ask{"it is not known to be read-only"}
	case a.Held:
		return Allow{}
	case p == Never:
		return Refuse{a.Why}
	}
	return Ask{a.Why}
}
