package rollout

// Amount is a number of files and their bytes together.
type Amount struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// add counts a file of n bytes; none when n is 0.
func (a *Amount) add(n int64) {
	if n > 0 {
		a.Files++
		a.Bytes += n
	}
}
