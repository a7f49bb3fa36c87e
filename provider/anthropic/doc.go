// Package anthropic asks models that speak Anthropic's Messages wire: Anthropic
// itself and servers compatible with it.
//
// The official SDK builds and sends the HTTP requests and cuts the answers into
// events; nothing is taken from its environment defaults. The request's body
// goes out byte for byte as package wire made it. Thinking is put together from
// its pieces and kept as one object, signature included, to be sent back.
package anthropic
