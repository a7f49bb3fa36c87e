// Package openai asks models that speak OpenAI's wires: Responses
// ([NewResponses]), and Chat Completions ([NewChat]) as OpenAI and the many
// servers compatible with it speak it: Ollama, llama.cpp, vLLM, LM Studio,
// OpenRouter, DeepSeek.
//
// The official SDK builds and sends the HTTP requests and cuts the answers into
// events. The request's body goes out byte for byte as package wire made it, and
// events are read as raw JSON, because servers put reasoning, cached tokens and
// even arguments where no type expects them.
package openai
