package harness

import (
	"embed"
	"strings"
)

// base is the built-in base instructions, with a place for the manner.
//
//go:embed base.md
var base string

// manners are what the setting personality chooses from.
//
//go:embed manner_*.md
var manners embed.FS

// Base returns the base instructions of a thread that begins with a model: those
// that the settings give the model, else the built-in ones in the personality that
// is set. A thread keeps them; the setting base_instructions goes before them in
// every request.
func (h *Harness) Base(model string) string {
	s := h.opts.Settings
	if own := s.Models[model].Base; own != "" {
		return strings.TrimSpace(own)
	}
	manner, err := manners.ReadFile("manner_" + s.Personality + ".md")
	if err != nil {
		manner, _ = manners.ReadFile("manner_plain.md") // settings that were not loaded name none
	}
	return strings.TrimSpace(strings.Replace(base, "{{manner}}", strings.TrimSpace(string(manner)), 1))
}
