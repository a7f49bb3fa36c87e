package ledger

import "strings"

// isValue reports whether s is a number, a version, a hash or another id.
func isValue(s string) bool {
	what := uint8(0)
	for i := range len(s) {
		what |= classes[s[i]]
	}
	switch {
	case what&digit == 0, len(s) < shortest, what&^(digit|hexa|letter|sign) != 0, strings.ContainsAny(s, "+%?&#~$"):
		return false
	case what == digit:
		return isNumber(s)
	case what == digit|hexa:
		return len(s) >= 7
	}
	return isVersion(s) || isID(s) || isUUID(s)
}

// isNumber leaves out hundreds, which recur by chance, and what is too long.
func isNumber(s string) bool {
	return len(s) <= 20 && (len(s) > 3 || !strings.HasSuffix(s, "00"))
}

// isVersion takes 1.2.3, v1.2 and 10.0.0.1.
func isVersion(s string) bool {
	s, v := strings.CutPrefix(s, "v")
	core, _, _ := strings.Cut(s, "-")
	dots := 0
	for part := range strings.SplitSeq(core, ".") {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return false
		}
		dots++
	}
	return dots > 2 || v && dots == 2
}

// isID takes words with a number of three digits and more set off by a sign, such
// as INV-2041 and job_8812, UUIDs, and such as K7QX99.
func isID(s string) bool {
	if strings.Contains(s, ".") || isDate(s) {
		return false
	}
	digits, run, letters, longest, small := 0, 0, 0, 0, false
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			digits, run = digits+1, run+1
			longest = max(longest, run)
			continue
		case 'a' <= c && c <= 'z':
			letters, small = letters+1, true
		case 'A' <= c && c <= 'Z':
			letters++
		}
		run = 0
	}
	signed := strings.ContainsAny(s, "-_")
	return letters > 0 && (signed && longest >= 3 || !signed && !small && digits >= 2 && len(s) >= 6)
}

// isUUID takes those in small letters.
func isUUID(s string) bool {
	return len(s) == 36 && strings.Count(s, "-") == 4 && strings.Trim(s, "0123456789abcdef-") == ""
}

// isDate takes 2026-11-30 and what goes on after it.
func isDate(s string) bool {
	return len(s) >= 10 && s[4] == '-' && s[7] == '-' && strings.Trim(s[:4]+s[5:7]+s[8:10], "0123456789") == "" // fixed: the parts of a date
}

// isAddress takes URLs without a password, and host:port of a local host or an IP
// address.
func isAddress(s string) bool {
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		host, _, _ := strings.Cut(rest, "/")
		return isName(scheme) && host != "" && !strings.Contains(host, "@")
	}
	host, port, ok := strings.Cut(s, ":")
	return ok && port != "" && len(port) <= 5 && strings.Trim(port, "0123456789") == "" && (host == "localhost" || isIP(host))
}

func isIP(s string) bool {
	return strings.Count(s, ".") == 3 && strings.Trim(s, "0123456789.") == ""
}

// isName takes what can stand before an equals sign.
func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; classes[c]&(digit|hexa|letter) == 0 && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return s != "" && classes[s[0]]&digit == 0
}
