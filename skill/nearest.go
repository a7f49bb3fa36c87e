package skill

import "strings"

// nearest returns the known name that is reached from name by the fewest changes of
// a letter, if they are at most so many.
func nearest(name string, known []string, most int) (best string, found bool) {
	name = strings.ToLower(name)
	for _, k := range known {
		if d := distance(name, k, most+1); d <= most {
			best, most, found = k, d-1, true
		}
	}
	return best, found
}

// slips is how many letters of a name may be wrong for it to be a slip.
func slips(name string) int {
	switch n := len(name); {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// distance is the Levenshtein distance of a and b in bytes, or most if it is known
// to be that or more.
func distance(a, b string, most int) int {
	if len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], most)
}
