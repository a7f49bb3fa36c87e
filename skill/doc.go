// Package skill finds skills, which are folders with a SKILL.md, and says what the
// model is told of them: a list with names and descriptions under a budget, what has
// changed in it, and the text of a skill that the user mentions.
//
//	disk ─► Catalog.Look ─► Found ─┬─► List      ─► a window's head
//	                               ├─► Changes   ─► what a later turn is told
//	                               └─► Mentioned ─► the texts that an input asks for
//
// It reads the Agent Skills format, as far as a model and its user need it: scripts
// and references of a skill are read by the model, with its own tools. Whatever is
// wrong on disk becomes a [Problem] and never an error, and every cut a hit of a
// named limit.
//
// It is not for running anything, and knows neither settings nor environment: where
// to look arrives as [Root] values. A [Catalog] keeps what it has read, so that the
// next look asks the disk only what has changed. [Found] and [Skill] are its results.
package skill
