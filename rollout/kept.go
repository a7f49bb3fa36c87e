package rollout

import "strings"

// keptSuffix is in the name of what is kept of a removed log for its forks.
const keptSuffix = ".kept"

func keptPath(path string) string { return strings.TrimSuffix(path, logSuffix) + keptSuffix }
