package crashtest

// damages changes single bytes.
func (l *life) damages() error { return nil }
