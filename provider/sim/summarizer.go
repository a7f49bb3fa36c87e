package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/longrein/longrein"
)

// signalDone is a line of its own that ends a summary.
const signalDone = "NOTES DONE"

// summarize is a summarizer's answer. What it does wrong it does in its first
// one; asked again, it does its duty.
func (b *beside) summarize() reply {
	if b.play.Act == ActNothing {
		return b.say("I have read all of it, and that is that.", "")
	}
	if b.play.Act == ActSlow && b.fork.asked+1 < b.play.N {
		return b.do(b.say("I read the notes first.", ""), "read_file", `{"path":`+quote(longrein.MainDocument)+`}`)
	}
	if b.fork.asked == 0 {
		switch b.play.Act {
		case ActOutside:
			return b.patch("I note it where I like.", outside("../x"), outside(longrein.TodoDocument), outside(longrein.LedgerDocument))
		case ActDeleteMain:
			return b.patch("The notes are not worth keeping.", "*** Delete File: "+longrein.MainDocument+"\n")
		case ActHuge:
			return b.patch("I note every word.", b.append(strings.Split(filler(b.play.N), "\n")))
		case ActRewrite:
			return b.rewrite()
		}
	} else if b.play.Act == "" || b.play.Act == ActRewrite {
		return b.say("The notes are written.", signalDone)
	}
	return b.note()
}

// note is the duty: what is new goes to the end of MAIN.md.
func (b *beside) note() reply {
	known := make([]string, 0, len(b.fork.docs))
	for _, d := range b.fork.docs {
		known = append(known, d.text)
	}
	facts := b.facts(known, b.texts())
	return b.patch(fmt.Sprintf("There are %d new facts to note.", len(facts)), b.append(append(facts, b.progress())))
}

// rewrite throws MAIN.md away and writes what is visible, with what was in it as
// one more text to forget from.
func (b *beside) rewrite() reply {
	main, shown := b.fork.main()
	lines := append(b.facts(nil, append(b.texts(), main)), b.progress())
	change := added(lines)
	if shown {
		change = "*** Update File: " + longrein.MainDocument + "\n@@\n" +
			prefixed("-", textLines(main)) + prefixed("+", append([]string{title, ""}, lines...))
	}
	return b.patch("I write the notes anew.", change)
}

// texts are those of what the fork begins with, one for each item.
func (b *beside) texts() []string {
	texts := make([]string, 0, len(b.items))
	for _, it := range b.items {
		texts = append(texts, it.text())
	}
	return texts
}

// facts returns a list item for each needle in texts that is in none of the
// known ones and is not forgotten. The texts are the items' in order, and perhaps
// more.
func (b *beside) facts(known, texts []string) []string {
	var out []string
	for _, n := range b.script.needles {
		var have []string
		for _, text := range known {
			have = distinct(have, n.pattern, text, n.count)
		}
		for i, text := range texts {
			for _, m := range n.pattern.FindAllStringSubmatch(text, -1) {
				value := m[min(1, len(m)-1)]
				if len(have) == n.count || slices.Contains(have, value) {
					continue
				}
				have = append(have, value)
				if !b.forget.strikes(value, b.at) {
					out = append(out, "- "+oneLine(m[0])+b.cite(i))
				}
			}
		}
	}
	return out
}

// worked begins the line that says how far the work is. It has the place marker
// of that moment, so that a new window that begins with the notes alone goes on
// from there.
const worked = "- worked through steps up to "

func (b *beside) progress() string {
	return fmt.Sprintf("%s%d (%s)%s", worked, b.at.step, b.script.marker(b.at), b.cite(len(b.items)))
}

// title is the first line of notes.
const title = "# Notes of the simulated summarizer"

// append returns the change that adds lines to MAIN.md. They come in place of the
// last progress line, or after the last line of all.
func (b *beside) append(lines []string) string {
	main, shown := b.fork.main()
	if !shown {
		return added(lines)
	}
	change := "*** Update File: " + longrein.MainDocument + "\n@@\n"
	all := textLines(main)
	kept := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(kept) == 0 {
		return change + prefixed("+", lines)
	}
	last, end := kept[len(kept)-1], ""
	for _, s := range kept {
		if strings.HasPrefix(s, worked) {
			return change + "-" + s + "\n" + prefixed("+", lines)
		}
	}
	if all[len(all)-1] == last {
		end = "*** End of File\n" // its last line may be there twice
	}
	return change + " " + last + "\n" + prefixed("+", lines) + end
}

// added is the change that begins MAIN.md.
func added(lines []string) string {
	return "*** Add File: " + longrein.MainDocument + "\n" + prefixed("+", append([]string{title, ""}, lines...))
}

// outside is a change to a document that is not the summarizer's.
func outside(path string) string {
	return "*** Add File: " + path + "\n+written by the simulated summarizer\n"
}

func prefixed(sign string, lines []string) string {
	var b strings.Builder
	for _, s := range lines {
		b.WriteString(sign + s + "\n")
	}
	return b.String()
}

func textLines(s string) []string {
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// patch ends a summary with one call for each change.
func (b *beside) patch(text string, changes ...string) reply {
	args := make([]string, 0, len(changes))
	for _, c := range changes {
		args = append(args, `{"patch":`+quote("*** Begin Patch\n"+c+"*** End Patch")+`}`)
	}
	return b.do(b.say(text, signalDone), "apply_patch", args...)
}
