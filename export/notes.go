package export

import (
	"fmt"
	"strings"

	"github.com/longrein/longrein"
)

// noteOf puts a record that is no item into words: a line, and what more there is
// to say.
func noteOf(b longrein.Body) (title, text string) {
	switch b := b.(type) {
	case longrein.Fork:
		title = fmt.Sprintf("%s %s", b.Name(), b.State)
		if b.Why != "" {
			title += ": " + b.Why
		}
		return title, ""
	case longrein.Notes:
		return fmt.Sprintf("notes, version %d, by %s", b.Version, b.By), documents(b.Changed)
	case longrein.Reset:
		return fmt.Sprintf("reset of window %d %s: %s", b.Window, b.Phase, b.Why), strings.Join(b.Repaired, "\n")
	case longrein.Compaction:
		return fmt.Sprintf("compaction of window %d %s", b.Window, b.Status), strings.TrimSpace(b.Summary + "\n" + b.Error)
	case longrein.Rollback:
		what := "rolled back"
		if b.Redo {
			what = "rollback taken back"
		}
		return fmt.Sprintf("%s to record %d: what lies between is no longer seen by the model (%d turns)", what, b.To, b.Turns), ""
	case longrein.Snapshot:
		return fmt.Sprintf("snapshot of %d files, %s turn %d", b.Files, b.When, b.Turn), b.Why
	case longrein.Undone:
		what := fmt.Sprintf("files put back as before turn %d", b.Turn)
		if b.Redo {
			what = "undo taken back"
		}
		return fmt.Sprintf("%s: %d changed", what, len(b.Changed)), strings.Join(b.Lasting, "\n")
	case longrein.LimitHit:
		return fmt.Sprintf("limit %s = %d %s: %s (%d left out)", b.Name, b.Value, b.Unit, b.What, b.Cut), b.Where
	case longrein.Warning:
		return "warning", b.Text
	case longrein.Approval:
		return fmt.Sprintf("approval %s: %s %s", b.State, b.Tool, b.Action), strings.TrimSpace(b.Reason + "\n" + b.Note)
	case longrein.Pinned:
		if b.Off {
			return fmt.Sprintf("record %d is no longer pinned", b.Seq), ""
		}
		return fmt.Sprintf("record %d is pinned", b.Seq), ""
	}
	return longrein.Record{Body: b}.Type(), ""
}

// documents are a thread's notes as one text.
func documents(all []longrein.Document) string {
	var b strings.Builder
	for _, d := range all {
		if d.Deleted {
			fmt.Fprintf(&b, "%s was deleted\n", d.Name)
			continue
		}
		fmt.Fprintf(&b, "%s\n\n%s\n", d.Name, d.Text)
	}
	return b.String()
}
