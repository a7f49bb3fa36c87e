// Package wire turns items into the bytes of a wire format: OpenAI's Responses,
// OpenAI-compatible Chat Completions, and Anthropic's Messages.
//
// An item is encoded once. A request's body is opened, grows by one group of
// entries after another, and is closed; what was appended never changes, so
// request k+1 of a window starts with the bytes of request k. [For] gives the
// [Encoder] of a wire, [Groups] splits entries into what it encodes together.
// The bytes depend on the arguments alone.
//
//	Open ─► {"model":…,"tools":[…],"input":[   Group , Group , Group   Close ─► ]}
//
// It is not for reading responses (the packages under provider do that) and it
// decides nothing about what a request holds (package assemble does).
package wire
