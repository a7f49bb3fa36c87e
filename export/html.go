package export

import (
	"bufio"
	_ "embed"
	"html/template"
	"io"
)

//go:embed page.html
var pageText string

// page has a template for the beginning, for a block and for the end.
var page = template.Must(template.New("page").Funcs(template.FuncMap{"beginning": beginning}).Parse(pageText))

// HTML writes a transcript as one page that needs nothing else: no script, no
// style, font or picture from elsewhere. It follows the reader's light or dark
// setting. Long outputs are cut at the limit export-output.
func HTML(w io.Writer, records Records, o Options) (Report, error) {
	out := bufio.NewWriter(w)
	t := &teller{
		Options: o,
		begin:   func(h heading) error { return page.ExecuteTemplate(out, "begin", h) },
		block:   func(b block) error { return page.ExecuteTemplate(out, "block", b) },
	}
	err := t.tell(records)
	if err == nil {
		err = page.ExecuteTemplate(out, "end", t.report)
	}
	if flush := out.Flush(); err == nil {
		err = flush
	}
	return t.report, err
}
