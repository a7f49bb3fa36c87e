// Package config finds the settings: from what is built in, the user's
// config.toml, a trusted project's .longrein/config.toml, LONGREIN_* variables
// and flags. The later wins, key by key, and every value knows its source.
//
//	built-in ─► config.toml ─► .longrein/config.toml ─► LONGREIN_* ─► flags ─► Settings
//	                                   │
//	                             only if Trusted
//
// [Load] returns [Settings], or an [*Error] that lists everything that is wrong
// with all of the sources, each with its place and the nearest valid name. The
// keys there are stand in one table, in keys.go; docs/settings.md explains them.
//
// It is not for secrets: a key that stands in a settings file is refused. It
// does not write settings either, other than which folders are trusted.
package config
