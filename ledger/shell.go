package ledger

import "strings"

// simpleCommand is one command of a shell text: its words, and the files that its
// output goes to.
type simpleCommand struct {
	words  []string
	writes []string
}

// deepest is how far commands inside of commands are looked for. People write two
// or three levels.
const deepest = 8 // fixed: what is deeper was not written by hand

// commandsIn returns the commands of a shell text, those in pipes, lists,
// substitutions and control structures too. It only splits: a variable stays as it
// is written. What is no shell at all gives commands that are none, and no error.
func commandsIn(text string, depth int) []simpleCommand {
	if depth > deepest { // fixed: see deepest
		return nil
	}
	s := shell{text: text, depth: depth}
	for s.i < len(s.text) {
		s.next()
	}
	s.endCommand()
	return s.all
}

// shell is a text being split.
type shell struct {
	text  string
	i     int
	depth int

	all  []simpleCommand
	now  simpleCommand
	word []byte
	open bool // a word has begun, perhaps an empty one

	redirect string   // how the next word is used: ">" and "<" name a file, "<<" the end of a here-document
	ends     []string // of here-documents that begin with the next line
}

func (s *shell) next() {
	c := s.text[s.i]
	s.i++
	switch c {
	case ' ', '\t', '\r':
		s.endWord()
	case '\n':
		s.endCommand()
		s.skipDocuments()
	case ';', '|', ')', '(':
		s.endCommand()
	case '&':
		s.ampersand()
	case '<', '>':
		s.redirection(c)
	case '#':
		s.comment()
	case '\'', '"', '\\', '`', '$':
		s.open = s.open || !strings.HasPrefix(s.text[s.i-1:], "\\\n") // that joins two lines
		s.quoted(c)
	default:
		s.put(c)
	}
}

func (s *shell) put(c byte) { s.open, s.word = true, append(s.word, c) }

// quoted goes on behind a character with a meaning inside of words.
func (s *shell) quoted(c byte) {
	switch c {
	case '\'':
		s.word = append(s.word, s.until("'", false)...)
	case '"':
		s.doubleQuoted()
	case '\\':
		if s.i < len(s.text) {
			if s.text[s.i] != '\n' {
				s.word = append(s.word, s.text[s.i])
			}
			s.i++
		}
	case '`':
		s.inner(s.until("`", true))
	case '$':
		s.dollar()
	}
}

// until returns the text up to an end, and goes on behind it.
func (s *shell) until(end string, escapes bool) string {
	from := s.i
	for ; s.i < len(s.text); s.i++ {
		if escapes && s.text[s.i] == '\\' {
			s.i++
			continue
		}
		if strings.HasPrefix(s.text[s.i:], end) {
			s.i += len(end)
			return s.text[from : s.i-len(end)]
		}
	}
	s.i = len(s.text)
	return s.text[from:]
}

func (s *shell) doubleQuoted() {
	for s.i < len(s.text) {
		c := s.text[s.i]
		s.i++
		switch c {
		case '"':
			return
		case '\\', '`', '$':
			s.quoted(c)
		default:
			s.word = append(s.word, c)
		}
	}
}

// dollar goes on behind a dollar sign: a substitution is looked into.
func (s *shell) dollar() {
	switch {
	case strings.HasPrefix(s.text[s.i:], "("):
		s.i++
		s.inner(s.balanced())
	case strings.HasPrefix(s.text[s.i:], "'"):
		s.i++
		s.word = append(s.word, s.until("'", true)...)
	default:
		s.word = append(s.word, '$')
	}
}

// balanced returns the text up to the bracket that closes one before it.
func (s *shell) balanced() string {
	from := s.i
	for open := 1; s.i < len(s.text); {
		c := s.text[s.i]
		s.i++
		switch c {
		case '\'':
			s.until("'", false)
		case '"':
			s.until(`"`, true)
		case '\\':
			s.i = min(s.i+1, len(s.text))
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return s.text[from : s.i-1]
			}
		}
	}
	return s.text[from:]
}

// inner adds the commands of a substitution, whose output is not known.
func (s *shell) inner(text string) {
	s.all = append(s.all, commandsIn(text, s.depth+1)...)
	s.word = append(s.word, "$()"...)
}

// ampersand ends a command, unless it is part of a redirection.
func (s *shell) ampersand() {
	if strings.HasPrefix(s.text[s.i:], ">") {
		s.i++
		s.redirection('>')
		return
	}
	s.endCommand()
}

// redirection goes on behind the sign of one.
func (s *shell) redirection(c byte) {
	if strings.HasPrefix(s.text[s.i:], "(") { // <(command)
		s.i++
		s.open = true
		s.inner(s.balanced())
		return
	}
	if s.open && strings.Trim(string(s.word), "0123456789") == "" {
		s.word, s.open = nil, false // which stream it is
	}
	s.endWord()
	s.redirect = string(c)
	for s.i < len(s.text) && strings.IndexByte("<>&|-", s.text[s.i]) >= 0 {
		s.redirect += s.text[s.i : s.i+1]
		s.i++
	}
}

func (s *shell) comment() {
	if s.open {
		s.put('#')
		return
	}
	if n := strings.IndexByte(s.text[s.i:], '\n'); n >= 0 {
		s.i += n
	} else {
		s.i = len(s.text)
	}
}

func (s *shell) endWord() {
	if !s.open {
		return
	}
	word, how := string(s.word), s.redirect
	s.word, s.open, s.redirect = nil, false, ""
	switch {
	case how == "":
		s.now.words = append(s.now.words, word)
	case how == "<<", how == "<<-":
		s.ends = append(s.ends, word)
	case strings.Contains(how, ">") && !strings.Contains(how, "&"):
		s.now.writes = append(s.now.writes, word)
	}
}

func (s *shell) endCommand() {
	s.endWord()
	s.redirect = ""
	if len(s.now.words)+len(s.now.writes) > 0 {
		s.all = append(s.all, s.now)
	}
	s.now = simpleCommand{}
}

// skipDocuments goes on behind the here-documents that begin here. A shell may read
// one as its commands, so they are looked into.
func (s *shell) skipDocuments() {
	for _, end := range s.ends {
		from := s.i
		body := len(s.text)
		for s.i < len(s.text) {
			start := s.i
			line, _, _ := strings.Cut(s.text[s.i:], "\n")
			s.i = min(s.i+len(line)+1, len(s.text))
			if strings.TrimLeft(line, "\t") == end {
				body = start
				break
			}
		}
		if n := len(s.all); n > 0 && isShell(s.all[n-1].words) {
			s.all = append(s.all, commandsIn(s.text[from:body], s.depth+1)...)
		}
	}
	s.ends = nil
}
