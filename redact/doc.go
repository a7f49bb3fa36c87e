// Package redact finds secrets in texts and puts placeholders in their place,
// before anything keeps or sends the texts: keys whose form gives them away, values
// of variables that are named like secrets, and values that are known to be secret
// because they stand in the environment or in a .env file.
//
//	texts, outputs ──Text, Writer──► the same without secrets
//
// The same secret gets the same placeholder, such as [redacted:github-token:3f2a9c1d],
// so that one can still tell whether two are the same. The digits come from a key of
// the user's own, and nobody without it can try secrets out on them.
//
// It is a net with meshes: a secret in a form that nobody knows, encoded or cut in
// two, passes. [Redactor] is the central type; [EnvFile] and [Secrets] say which
// values it should know.
package redact
