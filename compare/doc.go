// Package compare replays recorded sessions under different strategies, without a
// network: what each would have asked, paid, waited for and still seen.
//
// A [Session] is what a user said, what the model answered and what its calls came
// to, without the windows that it was recorded in. [Replay] drives it through the
// turn machine that runs live, on a clock of its own, against a provider that
// exists only as a [Profile]: its cache, its prices, its speed. Who answers the
// forks is an [Answerer]. What came of it is a [Result]; [WriteText] and
// [WriteHTML] show several side by side.
//
//	records ──► Read ──► Session ──┬─► Replay(background) ──► Result ─┬─► WriteText
//	                               └─► Replay(recent) ──────► Result ─┴─► WriteHTML
//
// The model does not think again: whatever a strategy leaves in its context, it
// says what was recorded. So a replay tells what a strategy costs and keeps
// visible, and not how well a model works with it. The same session, strategy and
// options give the same result, to the byte.
package compare
