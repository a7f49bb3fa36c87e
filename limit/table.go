package limit

import "slices"

// declare checks a limit at start-up, so that a wrong table cannot be shipped.
func declare(l Limit) *Limit {
	if l.Name == "" || l.What == "" || l.Default < l.Min || l.Default > l.Max {
		panic("limit: bad declaration of " + l.Name)
	}
	p := &l
	All = append(All, p)
	return p
}

// All holds every limit, by name.
var All []*Limit

func init() {
	slices.SortFunc(All, func(a, b *Limit) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
}

// What the model sees.
var (
	// ToolOutput caps what one tool call shows the model.
	ToolOutput = declare(Limit{
		Name: "tool-output", Unit: Bytes, Default: 16 << 10, Min: 1 << 10, Max: 1 << 20,
		What: "text of one tool output that the model sees; head and tail are kept, read_output reads the rest",
		Why:  "one long output must not fill the window; 16 KiB is about 5,000 tokens",
	})
	// Instructions caps the AGENTS.md chain of a project.
	Instructions = declare(Limit{
		Name: "agents-md", Unit: Bytes, Default: 32 << 10, Min: 0, Max: 1 << 20,
		What: "text of all AGENTS.md files of a project together; the deepest files are kept first",
		Why:  "they are in every request; 32 KiB is what other tools read of the same files",
	})
	// GlobalInstructions caps the user's own AGENTS.md.
	GlobalInstructions = declare(Limit{
		Name: "agents-md-global", Unit: Bytes, Default: 32 << 10, Min: 0, Max: 1 << 20,
		What: "text of the AGENTS.md in the config folder, which is for all projects",
		Why:  "it is in every request, beside what a project's files may fill",
	})
	// CarriedUser caps the user's words that a new window repeats verbatim.
	CarriedUser = declare(Limit{
		Name: "carried-user-messages", Unit: Tokens, Default: 20_000, Min: 1_000, Max: 200_000,
		What: "the user's own messages that a new window repeats verbatim, newest first",
		Why:  "the task must survive every new window, and still leave room for work",
	})
	// WindowShare is when a window counts as full.
	WindowShare = declare(Limit{
		Name: "window-full", Unit: Percent, Default: 90, Min: 20, Max: 95,
		What: "share of the model's context window at which a new window begins",
		Why:  "the rest is room for the answer and for errors of the estimate",
	})
	// CarriedShare is how much of the model's window a new one may start with.
	CarriedShare = declare(Limit{
		Name: "window-carried", Unit: Percent, Default: 40, Min: 5, Max: 50,
		What: "share of the model's context window that a new window's head may fill",
		Why:  "a window that starts nearly full is full again at once",
	})
)

// Memory beside the work.
var (
	// MemoryEvery is how much growth wakes the forks.
	MemoryEvery = declare(Limit{
		Name: "memory-every", Unit: Percent, Default: 3, Min: 1, Max: 50,
		What: "growth of the worker's context, as a share of the model's context window, after which summarizer and decider are forked",
		Why:  "often enough that little is left to carry over, seldom enough that a fork has something to do",
	})
	// MemoryBudget bounds what memory may cost.
	MemoryBudget = declare(Limit{
		Name: "memory-budget", Unit: Percent, Default: 25, Min: 0, Max: 1_000,
		What: "what forks may cost, as a share of what the worker costs; a wake-up that would cost more is put off; 0 is no bound",
		Why:  "memory should pay for itself",
	})
	// MemoryWindow stands in for a context window that is not known.
	MemoryWindow = declare(Limit{
		Name: "memory-window", Unit: Tokens, Default: 128_000, Min: 1_024, Max: 10_000_000,
		What: "context window by which memory plans when that of the model is not known",
		Why:  "what most models have at least; a provider's refusal still begins a new window",
	})
	// ForcedShare is when a reset is asked for without a verdict.
	ForcedShare = declare(Limit{
		Name: "window-forced", Unit: Percent, Default: 75, Min: 10, Max: 95,
		What: "share of the model's context window at which a reset is asked for without a decider's verdict",
		Why:  "there is time then to finish a summary while the work goes on; at window-full the worker has to wait",
	})
	// HeadShare is how much of the model's window memory's head may fill.
	HeadShare = declare(Limit{
		Name: "window-head", Unit: Percent, Default: 50, Min: 5, Max: 50,
		What: "share of the model's context window that a new window may begin with after a reset; a larger head is refused, and more is summarised first",
		Why:  "a window that starts nearly full is full again at once; half lets in what the work did while a slow summary was made",
	})
	// SummaryLead is the least room for the work while a summary is made.
	SummaryLead = declare(Limit{
		Name: "summary-lead", Unit: Tokens, Default: 8_000, Min: 0, Max: 1_000_000,
		What: "room, of at most a quarter of the window, that is kept for the work that goes on while a summary is made; more where the last ones took longer",
		Why:  "a worker whose window is full has to wait for its summary",
	})
	// ResetDistance keeps resets apart.
	ResetDistance = declare(Limit{
		Name: "reset-distance", Unit: Percent, Default: 10, Min: 0, Max: 50,
		What: "new work in a window, as a share of the model's context window, before it may be reset",
		Why:  "a window that is reset again at once pays for its head and gains nothing",
	})
	// SummaryTries is how often summaries may fail in a row.
	SummaryTries = declare(Limit{
		Name: "summary-tries", Unit: Count, Default: 3, Min: 1, Max: 100,
		What: "summaries that fail in a row, after which a full window begins anew the plain way, with the newest work only",
		Why:  "the work must go on; each further summary is tried after twice as much growth",
	})
	// DeciderTries is how often a decider that calls tools is asked again.
	DeciderTries = declare(Limit{
		Name: "decider-tries", Unit: Count, Default: 3, Min: 1, Max: 20,
		What: "answers of a decider that call tools, after which it counts as 'carry on'",
		Why:  "it was told twice that it needs none",
	})
	// StaleShare is how much must be stale for a decider to be asked.
	StaleShare = declare(Limit{
		Name: "stale-share", Unit: Percent, Default: 50, Min: 0, Max: 100,
		What: "share of the context that rules must find no longer needed before a decider is asked",
		Why:  "below it the answer is no, and asking costs a read of the context",
	})
	// StepsInUse are the newest steps, whose outputs count as needed.
	StepsInUse = declare(Limit{
		Name: "steps-in-use", Unit: Count, Default: 6, Min: 1, Max: 1_000,
		What: "newest steps whose outputs always count as needed when the rules look for what is not",
		Why:  "most outputs are used within a few steps or not at all",
	})
	// CacheLife is how long a provider keeps a prefix.
	CacheLife = declare(Limit{
		Name: "cache-life", Unit: Millis, Default: 300_000, Min: 1_000, Max: 86_400_000,
		What: "time without a request after which a provider's cache counts as cold",
		Why:  "five minutes is what providers promise at the least",
	})
	// LedgerSize caps the ledger in a head.
	LedgerSize = declare(Limit{
		Name: "ledger-shown", Unit: Bytes, Default: 4 << 10, Min: 256, Max: 256 << 10,
		What: "size of the ledger's compact form in a window's head; the rest is in LEDGER.md",
		Why:  "about a thousand tokens that every request of the window carries",
	})
	// TodoShown caps the worker's own document in a head.
	TodoShown = declare(Limit{
		Name: "todo-shown", Unit: Bytes, Default: 8 << 10, Min: 256, Max: 256 << 10,
		What: "text of TODO.md in a window's head; the rest is in the file",
		Why:  "it is the worker's own list and should be short",
	})
	// ProbeQuestions bounds a prober.
	ProbeQuestions = declare(Limit{
		Name: "probe-questions", Unit: Count, Default: 8, Min: 1, Max: 100,
		What: "questions that a model asks of the old context and answers from the new head, with memory.probe = \"model\"",
		Why:  "each costs output twice; eight find most of what is missing",
	})
	// NotesLook bounds the look into the notes folder.
	NotesLook = declare(Limit{
		Name: "notes-look", Unit: Millis, Default: 10_000, Min: 100, Max: 600_000,
		What: "wait for the notes folder to be compared with the log, after which the summary that waits for it does not count",
		Why:  "a file system that hangs must not hold up a reset",
	})
	// ProbeAnswer bounds a question's text.
	ProbeAnswer = declare(Limit{
		Name: "probe-answer", Unit: Bytes, Default: 400, Min: 400, Max: 400,
		What: "what is kept of a prober's question, and of each answer",
		Why:  "an answer that is wrong goes into the head",
	})
	// ForkRequests bounds a fork.
	ForkRequests = declare(Limit{
		Name: "fork-requests", Unit: Count, Default: 12, Min: 1, Max: 1_000,
		What: "requests of one fork, after which it fails",
		Why:  "each reads the whole context; a summary takes one to four",
	})
	// ForkTime bounds a fork.
	ForkTime = declare(Limit{
		Name: "fork-time", Unit: Millis, Default: 180_000, Min: 1_000, Max: 86_400_000,
		What: "time of one fork, after which it is dropped",
		Why:  "a summary takes ten seconds to a minute; a full window waits for it, and must not wait for ever",
	})
	// ForkReserve is the room that a fork's request leaves.
	ForkReserve = declare(Limit{
		Name: "fork-reserve", Unit: Percent, Default: 3, Min: 0, Max: 50,
		What: "share of the model's context window that a fork's request leaves for its answer; a larger request is not sent",
		Why:  "a provider refuses what does not fit, and the run is lost",
	})
)

// Compaction.
var (
	// CompactAt is when a window is summed up, whatever the model takes.
	CompactAt = declare(Limit{
		Name: "compact-at", Unit: Tokens, Default: 0, Min: 0, Max: 10_000_000,
		What: "context at which compaction sums the window up; what window-full allows is the most, and 0 leaves it at that",
		Why:  "a smaller context is cheaper to send, and some models work better in one",
	})
	// CompactorTries is how often a compactor that calls tools is asked again.
	CompactorTries = declare(Limit{
		Name: "compactor-tries", Unit: Count, Default: 3, Min: 1, Max: 20,
		What: "answers of a compactor that call tools, after which the compaction has failed",
		Why:  "it was told twice that it needs none, and the worker waits",
	})
)

// Turn packing.
var (
	// RecentTurns is how many turns stay whole.
	RecentTurns = declare(Limit{
		Name: "recent-turns-full", Unit: Count, Default: 6, Min: 0, Max: 10_000,
		What: "newest turns before the running one that turn packing shows whole; 0 means the default, and more than turns-considered allows is taken as what it allows",
		Why:  "what was said and done lately is needed word for word; 10 to 15 suit long, iterative work",
	})
	// TurnsSlack is how many turns more may be whole before the summary grows.
	TurnsSlack = declare(Limit{
		Name: "recent-turns-slack", Unit: Count, Default: 2, Min: 0, Max: 100,
		What: "turns beyond recent-turns-full that stay whole until the oldest of all are folded into the summary together",
		Why:  "without it each new turn would change the prefix, and the provider's cache would never hit",
	})
	// TurnsConsidered bounds how far back turn packing looks.
	TurnsConsidered = declare(Limit{
		Name: "turns-considered", Unit: Count, Default: 40, Min: 4, Max: 10_000,
		What: "turns, whole or in the summary, that turn packing shows when turns are folded; older ones become one line together",
		Why:  "a summary of a hundred turns says little of each; the log has all of them",
	})
	// TurnSummary caps the summary of the older turns.
	TurnSummary = declare(Limit{
		Name: "turn-summary", Unit: Count, Default: 6_000, Min: 2_000, Max: 200_000,
		What: "characters of the summary of older turns; the longest entries are shortened first, then the oldest become a line each",
		Why:  "about 1,500 tokens, which every request carries",
	})
	// TurnSummaryAsked caps what a summary says of a request.
	TurnSummaryAsked = declare(Limit{
		Name: "turn-summary-asked", Unit: Count, Default: 300, Min: 40, Max: 10_000,
		What: "characters of the user's key points in a summary's entry for one turn",
		Why:  "the first sentence, and the lines that look like requirements",
	})
	// TurnSummaryAnswer caps what a summary says of an answer.
	TurnSummaryAnswer = declare(Limit{
		Name: "turn-summary-answer", Unit: Count, Default: 400, Min: 40, Max: 10_000,
		What: "characters of the model's conclusion in a summary's entry for one turn",
		Why:  "the last paragraph of the last text is where models conclude",
	})
	// TurnSummaryFiles caps the names in a summary.
	TurnSummaryFiles = declare(Limit{
		Name: "turn-summary-files", Unit: Count, Default: 20, Min: 1, Max: 1_000,
		What: "changed files, and tools, that a summary names of one turn, and changed files of all turns together; further ones are counted",
		Why:  "the ledger has all of them",
	})
	// OutputPreview caps what is left of an output that made room.
	OutputPreview = declare(Limit{
		Name: "output-preview", Unit: Bytes, Default: 400, Min: 0, Max: 64 << 10,
		What: "text that is left of a tool output that was cut because the window was full, beside the note that says where the whole is",
		Why:  "a few lines show what it was, so that the model knows whether to look again",
	})
)

// What a thread takes in.
var (
	// Prompt caps one user input.
	Prompt = declare(Limit{
		Name: "prompt", Unit: Bytes, Default: 1 << 20, Min: 1 << 10, Max: 16 << 20,
		What: "size of one user input; a longer one is refused",
		Why:  "longer texts belong in a file that the model reads in parts",
	})
	// Queue is the number of ops that wait for a thread.
	Queue = declare(Limit{
		Name: "op-queue", Unit: Count, Default: 512, Min: 1, Max: 65_536,
		What: "ops that wait for a thread; a further sender is held up until there is room",
		Why:  "memory stays bounded whoever sends",
	})
	// WatchQueue is how far a watcher of a thread may fall behind.
	WatchQueue = declare(Limit{
		Name: "watch-queue", Unit: Count, Default: 4_096, Min: 16, Max: 1_000_000,
		What: "events that wait for a slow screen or program; beyond it, passing ones are dropped and records are read from the log",
		Why:  "a slow screen must not hold up the work, nor take all memory",
	})
	// TurnSteps bounds one turn.
	TurnSteps = declare(Limit{
		Name: "turn-steps", Unit: Count, Default: 10_000, Min: 1, Max: 1_000_000,
		What: "model requests in one turn, after which the turn fails",
		Why:  "a turn that never ends must end some time; real ones need hundreds",
	})
	// FutileSteps bounds steps in which nothing worked.
	FutileSteps = declare(Limit{
		Name: "futile-steps", Unit: Count, Default: 25, Min: 1, Max: 10_000,
		What: "steps in a row in which every tool call was unknown or had unreadable arguments, after which the turn fails",
		Why:  "a model that only calls what does not exist will not recover by itself",
	})
	// FutileWindows bounds new windows without progress.
	FutileWindows = declare(Limit{
		Name: "futile-windows", Unit: Count, Default: 3, Min: 1, Max: 100,
		What: "new windows in a row that begin without a single answered request between them, after which the turn fails",
		Why:  "what does not fit will not fit the next time",
	})
)

// The log.
var (
	// Inline is where texts move out of a log's lines into blobs.
	Inline = declare(Limit{
		Name: "inline-text", Unit: Bytes, Default: 8 << 10, Min: 4 << 10, Max: 16 << 20,
		What: "text that a log line holds itself; a longer one is stored once beside the logs, compressed, for all threads",
		Why:  "threads read the same files; shorter texts are quicker to read where they are",
	})
	// Line bounds a log line that is read.
	Line = declare(Limit{
		Name: "log-line", Unit: Bytes, Default: 64 << 20, Min: 1 << 20, Max: 1 << 30,
		What: "length of a log line that is read; a longer one counts as damaged",
		Why:  "a damaged file must not take all memory",
	})
	// LockTries is how often opening a log for writing is tried.
	LockTries = declare(Limit{
		Name: "lock-tries", Unit: Count, Default: 10, Min: 1, Max: 1_000,
		What: "tries to open a log that another process writes to",
		Why:  "a process that is just ending needs a moment",
	})
	// LockPause is the time between those tries.
	LockPause = declare(Limit{
		Name: "lock-pause", Unit: Millis, Default: 100, Min: 1, Max: 60_000,
		What: "pause between two tries to open a log",
		Why:  "ten tries make one second, which a person can wait",
	})
	// Repeats bounds what a writer remembers to store it once.
	Repeats = declare(Limit{
		Name: "log-repeats", Unit: Count, Default: 65_536, Min: 2, Max: 16 << 20,
		What: "values that a log's writer knows again; a repeat of another one is stored in full",
		Why:  "they take some 40 bytes of memory each, and a window holds a few thousand",
	})
	// ForkDepth bounds how many logs a thread is read from.
	ForkDepth = declare(Limit{
		Name: "fork-depth", Unit: Count, Default: 100, Min: 1, Max: 1_000,
		What: "forks of forks that a thread may go back to; a further fork is refused, and a deeper log not read",
		Why:  "reading the thread from its beginning holds as many files open",
	})
	// CollectGrace keeps what was just written from being collected.
	CollectGrace = declare(Limit{
		Name: "collect-grace", Unit: Millis, Default: 86_400_000, Min: 0, Max: 31_536_000_000,
		What: "age from which content that no log refers to is given back",
		Why:  "a process writes content first and the record that refers to it then; a turn may last hours",
	})
	// Candidates bounds the answer to an id that is too short.
	Candidates = declare(Limit{
		Name: "id-candidates", Unit: Count, Default: 10, Min: 2, Max: 1_000,
		What: "threads that are listed when the beginning of an id fits several",
		Why:  "the newest ones are meant, and one more letter tells them apart",
	})
)

// Models.
var (
	// FirstByte bounds the wait for a response to begin.
	FirstByte = declare(Limit{
		Name: "first-byte", Unit: Millis, Default: 600_000, Min: 1_000, Max: 3_600_000,
		What: "wait for the first byte of a response",
		Why:  "local servers load a model and read a long prompt first",
	})
	// Idle bounds silence inside a response.
	Idle = declare(Limit{
		Name: "stream-idle", Unit: Millis, Default: 300_000, Min: 1_000, Max: 3_600_000,
		What: "silence inside a response, after which it counts as cut",
		Why:  "a dead connection is not always reported",
	})
	// Connect bounds connecting.
	Connect = declare(Limit{
		Name: "connect", Unit: Millis, Default: 30_000, Min: 100, Max: 600_000,
		What: "time to connect to a provider, TLS included",
		Why:  "a wrong address should be told soon",
	})
	// IdleConnection bounds how long an unused connection is kept.
	IdleConnection = declare(Limit{
		Name: "idle-connection", Unit: Millis, Default: 90_000, Min: 1_000, Max: 3_600_000,
		What: "time for which an unused connection to a provider is kept",
		Why:  "a router may have forgotten an older one, and the next request would wait for nothing",
	})
	// Retries is how often one request is sent.
	Retries = declare(Limit{
		Name: "request-tries", Unit: Count, Default: 16, Min: 1, Max: 1_000,
		What: "times that one request is sent before its turn fails",
		Why:  "with the pauses below this rides out outages of a few minutes",
	})
	// FirstRetries is Retries while the server never answered.
	FirstRetries = declare(Limit{
		Name: "first-request-tries", Unit: Count, Default: 5, Min: 1, Max: 1_000,
		What: "times that a request is sent to a server that cannot be reached and never answered before",
		Why:  "it is more likely misspelt than down, and that should be told soon",
	})
	// RetryPause is the first pause of the back-off.
	RetryPause = declare(Limit{
		Name: "retry-pause", Unit: Millis, Default: 200, Min: 1, Max: 60_000,
		What: "pause before the first repeat of a request; it doubles each time, with 10% of jitter",
		Why:  "most faults are over at once",
	})
	// ShortPauses is how many repeats have short pauses.
	ShortPauses = declare(Limit{
		Name: "retry-short", Unit: Count, Default: 8, Min: 0, Max: 1_000,
		What: "repeats of a request whose pauses retry-pause-short bounds; those of later ones retry-pause-long does",
		Why:  "most faults that pass do so within seconds",
	})
	// RetryPauseShort caps the pause of the first repeats.
	RetryPauseShort = declare(Limit{
		Name: "retry-pause-short", Unit: Millis, Default: 1_600, Min: 1, Max: 600_000,
		What: "longest pause between the first repeats, of which retry-short says how many",
		Why:  "eight failures in a row cost less than 15 seconds",
	})
	// RetryPauseLong caps the pause of later repeats.
	RetryPauseLong = declare(Limit{
		Name: "retry-pause-long", Unit: Millis, Default: 60_000, Min: 1, Max: 3_600_000,
		What: "longest pause between later repeats",
		Why:  "a long outage is not helped by asking often",
	})
	// RetryAfter caps what a server may ask for.
	RetryAfter = declare(Limit{
		Name: "retry-after", Unit: Millis, Default: 300_000, Min: 1_000, Max: 86_400_000,
		What: "longest pause that a server's Retry-After is followed for; a longer one ends the turn at once",
		Why:  "hours of silence should be the user's decision",
	})
	// ErrorBody bounds what is read of an error response.
	ErrorBody = declare(Limit{
		Name: "error-body", Unit: Bytes, Default: 64 << 10, Min: 1 << 10, Max: 1 << 20,
		What: "what is read of a provider's error response",
		Why:  "an error page can have any size",
	})
	// ErrorText bounds what is shown of it.
	ErrorText = declare(Limit{
		Name: "error-text", Unit: Bytes, Default: 500, Min: 80, Max: 10_000,
		What: "what is shown of a provider's error message",
		Why:  "the reason is at its start",
	})
	// Response bounds one response.
	Response = declare(Limit{
		Name: "response", Unit: Bytes, Default: 64 << 20, Min: 1 << 20, Max: 1 << 30,
		What: "size of one model response; a longer one counts as cut and ends the turn",
		Why:  "a server gone wild must not take all memory",
	})
	// Answer bounds a response's length where its wire asks for a bound.
	Answer = declare(Limit{
		Name: "answer", Unit: Tokens, Default: 32_000, Min: 1, Max: 10_000_000,
		What: "length of one model response on the messages wire when max_output is not set for the model",
		Why:  "that wire wants a number; this many hold a long file, and all current models take it",
	})
	// AnswerShare bounds such a bound by the context window.
	AnswerShare = declare(Limit{
		Name: "answer-share", Unit: Percent, Default: 25, Min: 1, Max: 90,
		What: "share of the model's context window that the limit answer may take",
		Why:  "what is kept free for the answer is lost to the input, and a small window would be full from the start",
	})
	// StreamEnd bounds the wait for a connection's end after a whole response.
	StreamEnd = declare(Limit{
		Name: "stream-end", Unit: Millis, Default: 100, Min: 0, Max: 60_000,
		What: "wait for a connection to come to its end after the last event of a response; then it is closed",
		Why:  "a connection that is read to its end can be used again, which saves the next step a handshake",
	})
	// Probe bounds the look for a local server.
	Probe = declare(Limit{
		Name: "probe", Unit: Millis, Default: 300, Min: 10, Max: 10_000,
		What: "wait for an answer of each local port when a model server is looked for",
		Why:  "a loopback server answers at once or is not there",
	})
	// ProbeBody bounds what is read of such an answer.
	ProbeBody = declare(Limit{
		Name: "probe-body", Unit: Bytes, Default: 1 << 20, Min: 64 << 10, Max: 64 << 20,
		What: "size of each answer when a model server is looked for; a longer one counts as none",
		Why:  "whatever listens on such a port may send anything; a list of a thousand models fits",
	})
	// AssumedWindow is the window of a local model whose server does not tell.
	AssumedWindow = declare(Limit{
		Name: "assumed-window", Unit: Tokens, Default: 4_096, Min: 1_024, Max: 10_000_000,
		What: "context window of a local model for which its server names none, with a warning",
		Why:  "the smallest default among local servers; some cut a longer prompt without a word",
	})
	// KeyCommand bounds a command that prints a key.
	KeyCommand = declare(Limit{
		Name: "key-command", Unit: Millis, Default: 30_000, Min: 100, Max: 600_000,
		What: "time for the command that prints a key",
		Why:  "it may ask a password manager, but must not hang for ever",
	})
	// KeySize bounds a key.
	KeySize = declare(Limit{
		Name: "key-size", Unit: Bytes, Default: 16 << 10, Min: 16, Max: 1 << 20,
		What: "size of a key, from a file or a command; a longer one is refused",
		Why:  "it is sent in a header; what is longer is some other file",
	})
)

// Tools.
var (
	// CommandTime is a command's time when the model names none.
	CommandTime = declare(Limit{
		Name: "command-time", Unit: Millis, Default: 120_000, Min: 100, Max: 86_400_000,
		What: "time of a command for which the model names none",
		Why:  "long enough for a build, short enough for a prompt that waits",
	})
	// CommandTimeMax caps the time a model may ask for.
	CommandTimeMax = declare(Limit{
		Name: "command-time-max", Unit: Millis, Default: 3_600_000, Min: 1_000, Max: 86_400_000,
		What: "longest time that the model may give a command",
		Why:  "nobody watches a thread that runs for hours",
	})
	// CommandGrace is the time between the polite and the hard end of a command.
	CommandGrace = declare(Limit{
		Name: "command-grace", Unit: Millis, Default: 500, Min: 0, Max: 60_000,
		What: "time between SIGTERM and SIGKILL to a command's process group",
		Why:  "a program may want to remove its temporary files",
	})
	// CommandOutput caps what is kept of a command's output.
	CommandOutput = declare(Limit{
		Name: "command-output", Unit: Bytes, Default: 256 << 20, Min: 64 << 10, Max: 8 << 30,
		What: "output of one command that is stored; what comes after it is read, counted and not kept",
		Why:  "a command that never stops printing must not fill the disk",
	})
	// ErrorLines caps the error-looking lines listed of a command's cut middle.
	ErrorLines = declare(Limit{
		Name: "error-lines", Unit: Count, Default: 8, Min: 0, Max: 1_000,
		What: "error-looking lines that are listed of the part of an output that is left out",
		Why:  "the first errors explain the others",
	})
	// SandboxProbe bounds finding out which sandbox works.
	SandboxProbe = declare(Limit{
		Name: "sandbox-probe", Unit: Millis, Default: 5_000, Min: 100, Max: 60_000,
		What: "time to find out, at the first command, which sandbox works here",
		Why:  "a sandbox that does not start must not stop the work",
	})
	// FileRead caps the size of a file that the file tools take.
	FileRead = declare(Limit{
		Name: "file-read", Unit: Bytes, Default: 64 << 20, Min: 1 << 10, Max: 4 << 30,
		What: "size of a file that read_file and apply_patch take",
		Why:  "they hold it in memory",
	})
	// ListEntries caps list_files.
	ListEntries = declare(Limit{
		Name: "list-entries", Unit: Count, Default: 1_000, Min: 10, Max: 100_000,
		What: "entries that list_files returns",
		Why:  "a bigger list is better searched",
	})
	// ListDepth bounds how deep list_files looks when the model names no depth.
	ListDepth = declare(Limit{
		Name: "list-depth", Unit: Count, Default: 3, Min: 1, Max: 1_000,
		What: "levels of folders that list_files shows when the model names neither depth nor pattern; deeper files are counted",
		Why:  "a first look should fit a screen",
	})
	// SearchMatches caps search_files.
	SearchMatches = declare(Limit{
		Name: "search-matches", Unit: Count, Default: 200, Min: 1, Max: 100_000,
		What: "matches that search_files returns",
		Why:  "a query with more matches is better narrowed",
	})
	// SearchLine caps a line that search_files shows.
	SearchLine = declare(Limit{
		Name: "search-line", Unit: Bytes, Default: 300, Min: 40, Max: 10_000,
		What: "length of a line that search_files shows",
		Why:  "minified files have lines of megabytes",
	})
	// SearchFiles caps the files of a search without ripgrep.
	SearchFiles = declare(Limit{
		Name: "search-files", Unit: Count, Default: 200_000, Min: 100, Max: 10_000_000,
		What: "files that search_files looks through where ripgrep is not installed",
		Why:  "their names are held in memory to be sorted",
	})
	// SearchTime bounds one search.
	SearchTime = declare(Limit{
		Name: "search-time", Unit: Millis, Default: 20_000, Min: 100, Max: 600_000,
		What: "time for one search or listing",
		Why:  "a folder can be endless",
	})
	// ParallelCalls caps tool calls that run at once.
	ParallelCalls = declare(Limit{
		Name: "parallel-calls", Unit: Count, Default: 8, Min: 1, Max: 256,
		What: "tool calls of one response that run at the same time; further ones wait",
		Why:  "a machine has so many cores",
	})
	// Calls caps the calls that one response may hold.
	Calls = declare(Limit{
		Name: "response-calls", Unit: Count, Default: 128, Min: 1, Max: 10_000,
		What: "tool calls that are run of one response; the rest are answered as not run",
		Why:  "a model that repeats itself can write thousands",
	})
	// CallFiles caps the files that are recorded of one call.
	CallFiles = declare(Limit{
		Name: "call-files", Unit: Count, Default: 100, Min: 0, Max: 10_000,
		What: "files read and changed that are recorded of one tool call, for the ledger",
		Why:  "a command can name thousands, and each changed one is read once more for its hash",
	})
)

// The ledger, which a new window's record holds.
var (
	// LedgerFiles caps the files that the ledger knows.
	LedgerFiles = declare(Limit{
		Name: "ledger-files", Unit: Count, Default: 2_000, Min: 10, Max: 100_000,
		What: "files that the ledger knows; the oldest that were only read leave first, and are counted",
		Why:  "a long thread changes hundreds; each takes some 100 bytes",
	})
	// LedgerCalls caps the commands and failed calls that the ledger knows.
	LedgerCalls = declare(Limit{
		Name: "ledger-calls", Unit: Count, Default: 300, Min: 10, Max: 100_000,
		What: "different commands and failed calls that the ledger knows; the oldest that succeeded leave first, and are counted",
		Why:  "what failed and was not tried again with success matters longest",
	})
	// LedgerRequests caps the user's messages in the ledger.
	LedgerRequests = declare(Limit{
		Name: "ledger-requests", Unit: Bytes, Default: 32 << 10, Min: 1 << 10, Max: 4 << 20,
		What: "the user's messages that the ledger holds, the first and the newest; one alone may take a quarter",
		Why:  "the words that a thread goes by are few; the log has all of them",
	})
	// LedgerConstraints caps the constraints in the ledger.
	LedgerConstraints = declare(Limit{
		Name: "ledger-constraints", Unit: Count, Default: 200, Min: 1, Max: 10_000,
		What: "sentences of the user that bind the work, which the ledger holds verbatim; the oldest leave first, and are counted",
		Why:  "each is in every new head",
	})
	// LedgerPlan caps the steps of a plan in the ledger.
	LedgerPlan = declare(Limit{
		Name: "ledger-plan", Unit: Count, Default: 100, Min: 1, Max: 10_000,
		What: "steps of the newest plan that the ledger holds; further ones are counted",
		Why:  "plans of people have ten",
	})
	// LedgerApprovals caps the approvals in the ledger.
	LedgerApprovals = declare(Limit{
		Name: "ledger-approvals", Unit: Count, Default: 100, Min: 1, Max: 10_000,
		What: "different actions that were allowed or refused, which the ledger holds; the oldest leave first, and are counted",
		Why:  "they show what the user wants, and the newest show it best",
	})
	// LedgerValues caps the values in the ledger.
	LedgerValues = declare(Limit{
		Name: "ledger-values", Unit: Count, Default: 300, Min: 1, Max: 100_000,
		What: "ids, addresses and numbers that were used again, which the ledger holds; the ones not used for longest leave first, and are counted",
		Why:  "what no step used for a long time is rarely used again",
	})
	// LedgerCandidates caps the values that may be used again.
	LedgerCandidates = declare(Limit{
		Name: "ledger-candidates", Unit: Count, Default: 1_024, Min: 8, Max: 1_000_000,
		What: "ids, addresses and numbers seen in outputs and messages that the ledger watches for use; one item may bring an eighth, the oldest leave first",
		Why:  "most are never used, and each window's record holds them",
	})
	// LedgerScan bounds the look for values in one item.
	LedgerScan = declare(Limit{
		Name: "ledger-scan", Unit: Bytes, Default: 64 << 10, Min: 0, Max: 16 << 20,
		What: "what of one item the ledger looks through for values, from its start",
		Why:  "tool outputs are shorter; a long message is in the log",
	})
	// LedgerLine caps one thing that the ledger holds.
	LedgerLine = declare(Limit{
		Name: "ledger-line", Unit: Bytes, Default: 400, Min: 40, Max: 64 << 10,
		What: "length of a command, a constraint, a plan step, an action or the last lines of an error in the ledger; the rest is in the log",
		Why:  "it is enough to tell it from others",
	})
)

// Screens.
var (
	// ThreadsListed is how many threads a list for people shows.
	ThreadsListed = declare(Limit{
		Name: "threads-listed", Unit: Count, Default: 50, Min: 1, Max: 1_000_000,
		What: "threads that a list shows on a screen, the newest first; it says when there are more",
		Why:  "nobody reads ten thousand lines; --json and -n 0 list all",
	})
)

// The start.
var (
	// GitRefs bounds the look for the current commit.
	GitRefs = declare(Limit{
		Name: "git-refs", Unit: Bytes, Default: 16 << 20, Min: 0, Max: 1 << 30,
		What: "what is read of a repository's packed-refs; a commit that stands behind it is not recorded",
		Why:  "it is looked up at the start of a thread, and some repositories have a million refs",
	})
	// StopGrace is the time that threads have to come to rest.
	StopGrace = declare(Limit{
		Name: "stop-grace", Unit: Millis, Default: 5_000, Min: 100, Max: 600_000,
		What: "time that a turn has to come to rest when the program is told to stop",
		Why:  "outputs are recorded before the end, but a user waits",
	})
)

// The simulated model.
var (
	// SimCache bounds the simulator's prompt cache.
	SimCache = declare(Limit{
		Name: "sim-cache", Unit: Count, Default: 262_144, Min: 1_024, Max: 16_777_216,
		What: "prefixes that the simulated model's prompt cache keeps; the oldest go first",
		Why:  "33 million tokens in blocks of 128, in about 15 MB",
	})
	// SimRequest bounds what the simulator reads.
	SimRequest = declare(Limit{
		Name: "sim-request", Unit: Bytes, Default: 64 << 20, Min: 1 << 10, Max: 1 << 30,
		What: "size of a request that the simulated model takes over HTTP",
		Why:  "it is more than any window holds",
	})
	// SimScript bounds a script.
	SimScript = declare(Limit{
		Name: "sim-script", Unit: Bytes, Default: 1 << 20, Min: 1 << 20, Max: 1 << 20,
		What: "size of a script for the simulated model",
		Why:  "a script is written by hand",
	})
	// SimFill bounds the filler text of a script.
	SimFill = declare(Limit{
		Name: "sim-fill", Unit: Bytes, Default: 16 << 20, Min: 16 << 20, Max: 16 << 20,
		What: "bytes of filler text that a script can ask for at one place",
		Why:  "it is enough to pass every limit on responses",
	})
)

// Lists of threads.
var (
	// FirstWords caps what a list keeps of a thread's first input.
	FirstWords = declare(Limit{
		Name: "list-words", Unit: Bytes, Default: 200, Min: 20, Max: 10_000,
		What: "what lists of threads show and search of a thread's first input; the log has all of it",
		Why:  "a line of a screen, and thousands of threads are listed at once",
	})
	// IndexBusy bounds the wait for another process that writes to the index.
	IndexBusy = declare(Limit{
		Name: "index-busy", Unit: Millis, Default: 5_000, Min: 0, Max: 600_000,
		What: "wait for another process that writes to the index of threads",
		Why:  "a write takes milliseconds, and a list must not hang for ever",
	})
	// IndexWait bounds how long a list on a screen waits for the index.
	IndexWait = declare(Limit{
		Name: "index-wait", Unit: Millis, Default: 1_000, Min: 0, Max: 600_000,
		What: "time that a list on a screen waits for the index of threads; then it shows what there is, says how much that is, and the rest is done in the background",
		Why:  "thousands of logs are read when the index was deleted; programs get complete lists however long it takes",
	})
	// SearchItem caps what of one item can be searched for.
	SearchItem = declare(Limit{
		Name: "search-item", Unit: Bytes, Default: 8 << 10, Min: 100, Max: 1 << 20,
		What: "what of an input, a message or a tool call is searched, from its start; the log has all of it",
		Why:  "whole files stand in calls that write them, and the index must stay small beside the logs",
	})
	// SearchOutput caps what of a tool's output can be searched for.
	SearchOutput = declare(Limit{
		Name: "search-output", Unit: Bytes, Default: 512, Min: 0, Max: 1 << 20,
		What: "what of a tool's output is searched, from its start; the log has all of it",
		Why:  "outputs are most of a log, and what they begin with tells what they are",
	})
	// SearchWords bounds a search.
	SearchWords = declare(Limit{
		Name: "search-words", Unit: Count, Default: 32, Min: 1, Max: 1_000,
		What: "words and phrases that a search takes; more are refused",
		Why:  "each is looked up by itself, and a sentence has fewer",
	})
	// SearchSnippet caps what a search shows of the place that it found.
	SearchSnippet = declare(Limit{
		Name: "search-snippet", Unit: Bytes, Default: 160, Min: 20, Max: 10_000,
		What: "what a search shows of the place where it found the words",
		Why:  "two lines of a screen; the turn's number leads to the whole",
	})
	// PickerRows is how many threads a choice shows.
	PickerRows = declare(Limit{
		Name: "picker-rows", Unit: Count, Default: 15, Min: 1, Max: 1_000,
		What: "threads that longrein resume offers for a choice at a time; words find the others",
		Why:  "they fit on any screen",
	})
	// SettingsFile bounds a settings file.
	SettingsFile = declare(Limit{
		Name: "settings-file", Unit: Bytes, Default: 256 << 10, Min: 1 << 10, Max: 16 << 20,
		What: "size of a settings file, a file with base instructions or a policy; a larger one is refused",
		Why:  "it is read whole at every start",
	})
)

// Notes on disk.
var (
	// NoteFile bounds a file in a notes folder.
	NoteFile = declare(Limit{
		Name: "note-file", Unit: Bytes, Default: 256 << 10, Min: 4 << 10, Max: 16 << 20,
		What: "size of a file in the notes folder; a larger one is not taken as a user's edit",
		Why:  "an edit goes into the log, and models read it whole",
	})
	// NoteFiles bounds how many there are.
	NoteFiles = declare(Limit{
		Name: "note-files", Unit: Count, Default: 1_000, Min: 10, Max: 100_000,
		What: "files and folders that are looked at in a thread's notes folder; the rest are named as not looked at",
		Why:  "anything can be put there, and it is looked at while the work goes on",
	})
	// NoteEdits bounds what one look takes.
	NoteEdits = declare(Limit{
		Name: "note-edits", Unit: Bytes, Default: 2 << 20, Min: 64 << 10, Max: 256 << 20,
		What: "text of a user's edits in the notes folder that is taken at one look; the next look takes more",
		Why:  "edits go into the log, and somebody may put a whole library there",
	})
	// TodoFile bounds what is read of TODO.md.
	TodoFile = declare(Limit{
		Name: "todo-file", Unit: Bytes, Default: 32 << 10, Min: 1 << 10, Max: 1 << 20,
		What: "what is read of the worker's TODO.md for the head of a new window",
		Why:  "it is in every request of that window",
	})
)

// Notes as the summarizer writes them.
var (
	// NotesMain is the size that MAIN.md should keep to.
	NotesMain = declare(Limit{
		Name: "notes-main", Unit: Bytes, Default: 8 << 10, Min: 512, Max: 256 << 10,
		What: "size of MAIN.md; a longer one is kept, and the next summarizer is told to move something out of it",
		Why:  "it is in every request; 8 KiB is about 2,500 tokens",
	})
	// NotesDocument bounds one document.
	NotesDocument = declare(Limit{
		Name: "notes-document", Unit: Bytes, Default: 64 << 10, Min: 4 << 10, Max: 16 << 20,
		What: "size of one document that a summarizer writes; an edit that makes it longer is refused",
		Why:  "what is larger is no note but a copy; it should be several documents",
	})
	// NotesDocuments bounds how many there are.
	NotesDocuments = declare(Limit{
		Name: "notes-documents", Unit: Count, Default: 64, Min: 1, Max: 10_000,
		What: "documents of a thread's notes, and changes in one patch to them; what goes beyond is refused",
		Why:  "MAIN.md has to point to them",
	})
	// NotesTotal bounds all documents together.
	NotesTotal = declare(Limit{
		Name: "notes-total", Unit: Bytes, Default: 512 << 10, Min: 4 << 10, Max: 64 << 20,
		What: "text of a thread's notes together; an edit that makes it longer is refused",
		Why:  "they are held in memory and go into the log",
	})
	// NotesName bounds the name of a document.
	NotesName = declare(Limit{
		Name: "notes-name", Unit: Bytes, Default: 100, Min: 16, Max: 200,
		What: "length of a document's name, its folders included; a longer one is refused",
		Why:  "names are listed in every window's head, and are files on disk",
	})
	// NotesPatch bounds the edits of one call.
	NotesPatch = declare(Limit{
		Name: "notes-patch", Unit: Bytes, Default: 128 << 10, Min: 4 << 10, Max: 16 << 20,
		What: "size of one patch to the notes; a larger one is refused",
		Why:  "notes are edited in small steps, and large patches take long to fit",
	})
	// NotesPattern bounds a search of the notes.
	NotesPattern = declare(Limit{
		Name: "notes-pattern", Unit: Count, Default: 200, Min: 20, Max: 1_000,
		What: "steps that a regular expression for a search of the notes may compile to; a larger one is refused",
		Why:  "the time of a search grows with them, and a plain word has as many as letters",
	})
	// NotesSources bounds what a paragraph cites.
	NotesSources = declare(Limit{
		Name: "notes-sources", Unit: Count, Default: 256, Min: 1, Max: 10_000,
		What: "items that one paragraph of the notes rests on, and numbers that one cited range is read for; further ones are left out",
		Why:  "what cites everything cites nothing",
	})
	// NotesIndex bounds the list of items that a summarizer can cite.
	NotesIndex = declare(Limit{
		Name: "notes-index", Unit: Count, Default: 150, Min: 150, Max: 150,
		What: "items that are listed for a summarizer; older ones share a line and can be cited too",
		Why:  "the list is no part of the cached context; at 25 tokens a line it has 4,000",
	})
	// NotesIndexLine bounds one line of that list.
	NotesIndexLine = declare(Limit{
		Name: "notes-index-line", Unit: Bytes, Default: 80, Min: 80, Max: 80,
		What: "what a line of that list shows of an item; the item itself is in the context",
		Why:  "it is for finding the item, not for reading it",
	})
	// BreakdownParts bounds the figures that a decider gets.
	BreakdownParts = declare(Limit{
		Name: "breakdown-parts", Unit: Count, Default: 10, Min: 10, Max: 10,
		What: "kinds of items and tools whose share a decider is told; the smaller ones are put together as other",
		Why:  "the largest decide",
	})
	// VerdictReason bounds a decider's reason.
	VerdictReason = declare(Limit{
		Name: "verdict-reason", Unit: Bytes, Default: 500, Min: 500, Max: 500,
		What: "what a verdict's record holds of the decider's reason; the answer itself is in the log",
		Why:  "it was asked for one sentence",
	})
)

// Threads that are exported.
var (
	// ExportOutput bounds what a transcript shows of an output.
	ExportOutput = declare(Limit{
		Name: "export-output", Unit: Bytes, Default: 16 << 10, Min: 256, Max: 64 << 20,
		What: "what an exported transcript or page shows of a tool's arguments, its output or an inserted text; JSON lines and Codex's rollouts have all of it",
		Why:  "a page is for reading; a few hundred lines of an output are enough to judge it",
	})
	// ExportBlob bounds a blob that is exported.
	ExportBlob = declare(Limit{
		Name: "export-blob", Unit: Bytes, Default: 64 << 20, Min: 0, Max: 512 << 20,
		What: "size of a blob that an export as JSON lines holds; a larger one stays behind, and is named",
		Why:  "it is one line, which is in memory when it is written and when it is read",
	})
)

// Sessions that other tools recorded.
var (
	// SessionSize bounds a recorded session.
	SessionSize = declare(Limit{
		Name: "session-size", Unit: Bytes, Default: 1 << 30, Min: 1 << 20, Max: 64 << 30,
		What: "what is read of a session that another tool recorded; what follows is named as not read",
		Why:  "its texts are held in memory; the largest known ones have a tenth of it",
	})
	// SessionPeek bounds the look that finds out which tool recorded it.
	SessionPeek = declare(Limit{
		Name: "session-peek", Unit: Bytes, Default: 1 << 20, Min: 64 << 10, Max: 16 << 20,
		What: "what is looked at of a recorded session to find out its form",
		Why:  "the first whole lines tell, and a first line of some 100 KiB is common",
	})
	// SessionUnread bounds the lines that are kept for a report.
	SessionUnread = declare(Limit{
		Name: "session-unread", Unit: Count, Default: 1_000, Min: 1, Max: 1_000_000,
		What: "lines of a recorded session that could not be read and are listed one by one; further ones are counted",
		Why:  "a few can be looked at; a million mean that the file is something else",
	})
	// SessionRaw bounds what is kept of each of them.
	SessionRaw = declare(Limit{
		Name: "session-raw", Unit: Bytes, Default: 4 << 10, Min: 0, Max: 1 << 20,
		What: "what is kept of a line of a recorded session that could not be read",
		Why:  "it shows what is wrong; the file still has all of it",
	})
	// SessionKinds bounds the kinds of lines that are told apart.
	SessionKinds = declare(Limit{
		Name: "session-kinds", Unit: Count, Default: 256, Min: 16, Max: 100_000,
		What: "kinds of lines of a recorded session that are counted one by one; further ones are counted together",
		Why:  "the richest known form has some 60",
	})
	// SessionCarried bounds what its compactions kept.
	SessionCarried = declare(Limit{
		Name: "session-carried", Unit: Count, Default: 1_000_000, Min: 0, Max: 1_000_000_000,
		What: "items that the compactions of a recorded session carry on, all of them together; a compaction beyond it is taken to keep its summary alone",
		Why:  "each window lists what it begins with, and a file may have a compaction on every line",
	})
	// SessionSalvage bounds the look for a whole record in a broken line.
	SessionSalvage = declare(Limit{
		Name: "session-salvage", Unit: Count, Default: 32, Min: 0, Max: 10_000,
		What: "places in a broken line of a recorded session at which a whole record is looked for",
		Why:  "a torn write is followed by one or two records; each look may read the rest of the line",
	})
)

// What doctor looks at.
var (
	// LintFile bounds what is looked at of one file.
	LintFile = declare(Limit{
		Name: "lint-file", Unit: Bytes, Default: 1 << 20, Min: 1 << 10, Max: 64 << 20,
		What: "what doctor looks at of one file with instructions",
		Why:  "what is longer than this is not for a model, and most of it is cut in any case",
	})
	// LintFindings bounds the findings of one kind.
	LintFindings = declare(Limit{
		Name: "lint-findings", Unit: Count, Default: 10, Min: 1, Max: 10_000,
		What: "findings of one kind about instructions that doctor shows, the worst first; further ones are counted",
		Why:  "a file that was copied from another tool can have hundreds of the same",
	})
	// LintThreads bounds the threads whose settings are compared.
	LintThreads = declare(Limit{
		Name: "lint-threads", Unit: Count, Default: 5, Min: 0, Max: 1_000,
		What: "newest threads of a folder whose settings doctor compares, to find what keeps the provider's cache from being used",
		Why:  "what changes each time differs between any two of them",
	})
)

// What is planned. These numbers are known and listed, so that the parts that they
// are for begin with a limit and not with a silent cut.
var (
	// ApprovedPrefixes caps the list of commands that are allowed for good.
	ApprovedPrefixes = declare(Limit{
		Name: "approved-prefixes", Unit: Count, Default: 100, Min: 1, Max: 10_000, Planned: "saved approvals",
		What: "beginnings of commands allowed for good that the model is told; the user is shown all of them, and both are told how many are left out",
		Why:  "the list is in every request; what is left out still counts as allowed",
	})
	// ApprovedPrefixText caps the text of that list.
	ApprovedPrefixText = declare(Limit{
		Name: "approved-prefix-text", Unit: Bytes, Default: 5_000, Min: 100, Max: 1 << 20, Planned: "saved approvals",
		What: "text of the list of beginnings of commands that the model is told, cut between two of them",
		Why:  "some 1,500 tokens that every request carries",
	})
	// MemorySummary caps what is remembered over threads.
	MemorySummary = declare(Limit{
		Name: "memory-summary", Unit: Tokens, Default: 2_500, Min: 100, Max: 50_000, Planned: "memories that outlive threads",
		What: "summary of the memories in the initial context; the rest is found by recall",
		Why:  "it is in every request, whether the work needs it or not",
	})
	// AgentJobs caps sub-agents that work at once.
	AgentJobs = declare(Limit{
		Name: "agent-jobs", Unit: Count, Default: 16, Min: 1, Max: 64, Planned: "sub-agents",
		What: "sub-agents that work at the same time; further ones wait, and are listed as waiting",
		Why:  "each is a conversation that costs and writes files",
	})
	// WaitLeast is the shortest wait for a sub-agent.
	WaitLeast = declare(Limit{
		Name: "wait-least", Unit: Millis, Default: 10_000, Min: 100, Max: 600_000, Planned: "sub-agents",
		What: "shortest time that the model may wait for a sub-agent; a shorter one is made this long, and the answer says so",
		Why:  "each wait costs a request, and asking every second finds out nothing",
	})
	// WaitMost is the longest wait for a sub-agent.
	WaitMost = declare(Limit{
		Name: "wait-most", Unit: Millis, Default: 3_600_000, Min: 1_000, Max: 86_400_000, Planned: "sub-agents",
		What: "longest time that the model may wait for a sub-agent; a longer one is made this long, and the answer says so",
		Why:  "a sub-agent that hangs must not hold the worker for a day",
	})
	// SessionScan caps the look through another tool's folder.
	SessionScan = declare(Limit{
		Name: "session-scan", Unit: Count, Default: 10_000, Min: 10, Max: 10_000_000, Planned: "going on with the last session of another tool",
		What: "files in another tool's folder that are looked at to find its last session, the newest first; the number of those not looked at is told",
		Why:  "a folder can be on a slow disk; threads of our own are in the index, and none of them is passed over",
	})
)

// Going back.
var (
	// UndoTold caps what the model is told of an undo.
	UndoTold = declare(Limit{
		Name: "undo-told", Unit: Count, Default: 40, Min: 0, Max: 10_000,
		What: "files that were put back by an undo of which the model is told by name; of the others it is told how many",
		Why:  "it has to read them again anyway, and a large undo would fill the window",
	})
)

// Skills.
var (
	// SkillsShare is how much of the model's window the list of skills may fill.
	SkillsShare = declare(Limit{
		Name: "skills-budget", Unit: Percent, Default: 2, Min: 0, Max: 50,
		What: "share of the model's context window that the list of skills may fill; descriptions are shortened first, then skills are left out; 0 lists none",
		Why:  "the list is in every request, whether the work needs a skill or not",
	})
	// SkillsUnknown stands in where the model's window is not known.
	SkillsUnknown = declare(Limit{
		Name: "skills-budget-unknown", Unit: Tokens, Default: 2_000, Min: 0, Max: 1_000_000,
		What: "size of the list of skills when the model's context window is not known",
		Why:  "it is a share of the smallest windows in use that still leaves room for work",
	})
	// SkillText caps what the mention of a skill loads.
	SkillText = declare(Limit{
		Name: "skill-text", Unit: Bytes, Default: 64 << 10, Min: 1 << 10, Max: 16 << 20,
		What: "text of one SKILL.md that the mention of a skill shows the model; the model can read the rest in the file",
		Why:  "a good one has a tenth of it and leaves details to further files",
	})
	// SkillMentions caps how many skills one input loads.
	SkillMentions = declare(Limit{
		Name: "skill-mentions", Unit: Count, Default: 8, Min: 1, Max: 1_000,
		What: "skills whose text is loaded because the inputs taken together mention them; of further ones the model has the line in the list",
		Why:  "each may bring as much text as skill-text allows",
	})
	// SkillFrontMatter caps what is read of a SKILL.md for the list.
	SkillFrontMatter = declare(Limit{
		Name: "skill-front-matter", Unit: Bytes, Default: 16 << 10, Min: 1 << 10, Max: 256 << 10,
		What: "front matter of a SKILL.md; a skill with a longer one is not there",
		Why:  "it is name and description and some fields more; hundreds are read at once",
	})
	// SkillName caps a skill's name.
	SkillName = declare(Limit{
		Name: "skill-name", Unit: Count, Default: 64, Min: 64, Max: 64,
		What: "characters of a skill's name; a longer one is cut",
		Why:  "the Agent Skills format says so",
	})
	// SkillDescription caps a skill's description.
	SkillDescription = declare(Limit{
		Name: "skill-description", Unit: Count, Default: 1_024, Min: 1_024, Max: 1_024,
		What: "characters of a skill's description; a longer one is cut",
		Why:  "the Agent Skills format says so",
	})
	// SkillDepth bounds the look below a root.
	SkillDepth = declare(Limit{
		Name: "skill-depth", Unit: Count, Default: 6, Min: 1, Max: 64,
		What: "folders one in another, below a folder for skills, in which skills are looked for",
		Why:  "skills lie one or two deep; a deeper tree is something else that was put there",
	})
	// SkillFolders bounds the folders that are looked at.
	SkillFolders = declare(Limit{
		Name: "skill-folders", Unit: Count, Default: 2_000, Min: 10, Max: 1_000_000,
		What: "folders below one folder for skills that are looked at, those of skills among them; the others are counted",
		Why:  "each is looked at before every turn",
	})
	// SkillEntries bounds the files that are looked at.
	SkillEntries = declare(Limit{
		Name: "skill-entries", Unit: Count, Default: 50_000, Min: 100, Max: 10_000_000,
		What: "names in one folder for skills, and below it outside of skills, that are looked at; the folder in which there are more is named",
		Why:  "ten thousand files there are a mistake, and must not hold up the work",
	})
	// SkillsNamed bounds a warning about many skills.
	SkillsNamed = declare(Limit{
		Name: "skills-named", Unit: Count, Default: 20, Min: 1, Max: 10_000,
		What: "skills or problems that one warning names; longrein skills list and check have all",
		Why:  "a warning of a thousand names is not read",
	})
)

// Going back.
var (
	// SnapshotFile bounds a file in a snapshot.
	SnapshotFile = declare(Limit{
		Name: "snapshot-file", Unit: Bytes, Default: 10 << 20, Min: 0, Max: 1 << 40,
		What: "size of a file that a snapshot of the folder holds; a larger one is left out, and undo does not touch it",
		Why:  "what is larger is rarely written by hand, and each of its versions would be kept",
	})
	// SnapshotFiles bounds how many files a snapshot has.
	SnapshotFiles = declare(Limit{
		Name: "snapshot-files", Unit: Count, Default: 200_000, Min: 1, Max: 100_000_000,
		What: "files in a snapshot of the folder; no snapshot is taken of a folder with more that git would track, and undo is off there",
		Why:  "a check for changes looks at each of them, before and after every turn; 200,000 take half a second",
	})
	// SnapshotBytes bounds what is new in one snapshot.
	SnapshotBytes = declare(Limit{
		Name: "snapshot-bytes", Unit: Bytes, Default: 2 << 30, Min: 0, Max: 1 << 50,
		What: "new content in one snapshot of the folder; a snapshot that would store more is not taken",
		Why:  "it is copied while the turn waits, and kept as long as the thread",
	})
	// SnapshotTime bounds how long a snapshot may take.
	SnapshotTime = declare(Limit{
		Name: "snapshot-time", Unit: Millis, Default: 20_000, Min: 100, Max: 3_600_000,
		What: "time of one snapshot of the folder, after which it is given up; the next one goes on where it stopped",
		Why:  "the turn waits for it; the first of 50,000 files takes ten seconds, later ones a tenth of one",
	})
	// SnapshotShown bounds a list of files for people.
	SnapshotShown = declare(Limit{
		Name: "snapshot-shown", Unit: Count, Default: 10, Min: 0, Max: 100_000,
		What: "files that a line about a snapshot or an undo names; further ones are counted",
		Why:  "it is a line; the whole list is in the record",
	})
	// SnapshotDiff bounds the text of differences.
	SnapshotDiff = declare(Limit{
		Name: "snapshot-diff", Unit: Bytes, Default: 1 << 20, Min: 0, Max: 1 << 30,
		What: "text of the differences between two snapshots; it is cut at a line end",
		Why:  "it is held in memory and read by people",
	})
)

// Secrets.
var (
	// EnvFile bounds the look into .env files.
	EnvFile = declare(Limit{
		Name: "env-file", Unit: Bytes, Default: 256 << 10, Min: 1 << 10, Max: 16 << 20,
		What: "size of a .env file that is read for secrets to redact; a larger one is not, and a warning says so",
		Why:  "such files have a few lines; a large one is something else",
	})
)
