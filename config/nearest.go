package config

import (
	"fmt"
	"strings"
)

// DidYouMean returns the end of a sentence about a name that is not known: the
// nearest one that is, or nothing when none is near.
func DidYouMean(name string, known []string) string {
	best, found := nearest(name, known)
	if !found {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// nearest returns the known name that is reached from name by the fewest
// changes of a letter, if they are few enough to be a slip.
func nearest(name string, known []string) (best string, found bool) {
	name = strings.ToLower(name)
	least := max(2, len(name)/3) + 1
	for _, k := range known {
		if d := distance(name, k, least); d < least {
			best, least, found = k, d, true
		}
	}
	return best, found
}

// distance is the Levenshtein distance of a and b in bytes, or most if it is
// known to be that or more.
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
	return row[len(b)]
}
