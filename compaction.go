package longrein

// Compaction is a step of a compactor's run: it sums a window up while the worker
// waits. What the next window is made of is told by its [Reset].
type Compaction struct {
	Window int              `json:"window"` // that is summed up
	Fork   string           `json:"fork"`   // the compactor
	Status CompactionStatus `json:"status"`
	Reason CompactionReason `json:"reason"`
	Phase  CompactionPhase  `json:"phase"`
	By     CompactedBy      `json:"by"`
	Before int              `json:"before"`           // tokens of the worker's context
	Unseen int              `json:"unseen,omitempty"` // oldest items that the compactor is not shown, because they do not fit
	// With completed: what the compactor wrote, which may be nothing, and the last
	// record that it covers. What a provider made is an item in its answer.
	Summary  string `json:"summary,omitempty"`
	Boundary int64  `json:"boundary,omitempty"`
	Error    string `json:"error,omitempty"` // with failed
}

// CompactionStatus is how far a compaction has come.
type CompactionStatus string

// A compaction is started, perhaps again with fewer items, and comes to one of the
// other ends. Of one that the end of the process cut off its fork's record tells.
const (
	CompactionStarted     CompactionStatus = "started"
	CompactionCompleted   CompactionStatus = "completed"
	CompactionInterrupted CompactionStatus = "interrupted"
	CompactionFailed      CompactionStatus = "failed"
)

// CompactionReason is why a window is summed up.
type CompactionReason string

// The user asked for it, the context has reached its limit, or the provider
// refused it as too long.
const (
	CompactionUser    CompactionReason = "user_requested"
	CompactionLimit   CompactionReason = "context_limit"
	CompactionRefused CompactionReason = "refused"
)

// CompactionPhase is when a window is summed up.
type CompactionPhase string

// Between two turns, before a turn's first request, or between two of its steps.
const (
	CompactionStandalone CompactionPhase = "standalone"
	CompactionPreTurn    CompactionPhase = "pre_turn"
	CompactionMidTurn    CompactionPhase = "mid_turn"
)

// CompactedBy says who sums a window up.
type CompactedBy string

// The model with a prompt of ours, or the provider with an item of its own.
const (
	CompactedByModel    CompactedBy = "model"
	CompactedByProvider CompactedBy = "provider"
)

func (Compaction) recordType() string { return "compaction" }

func init() { decoders["compaction"] = decode[Compaction] }
