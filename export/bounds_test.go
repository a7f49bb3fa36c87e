package export_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/longrein/longrein"
	"github.com/longrein/longrein/export"
	"github.com/longrein/longrein/internal/testkit"
	"github.com/longrein/longrein/limit"
)

// answered is a thread with one call, whose output is full.
func answered(out longrein.ToolOutput) export.Records {
	out.CallID, out.Status = "c", longrein.OutputOK
	records := testkit.Records(
		longrein.Thread{ID: "t", Format: longrein.LogFormat},
		longrein.Appended{Entry: longrein.Entry{Item: longrein.Message{Role: longrein.RoleUser, Text: "go"}}, Input: 1},
		longrein.Appended{Entry: longrein.Entry{Step: 2, Item: longrein.ToolCall{ID: "c", Name: "exec_command", Args: `{"command":"x"}`}}},
		longrein.Appended{Entry: longrein.Entry{Step: 2, Item: out}},
	)
	return func(yield func(longrein.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestALongOutputIsCutWithItsPlace(t *testing.T) {
	var page bytes.Buffer
	report, err := export.Markdown(&page, answered(longrein.ToolOutput{Text: strings.Repeat("x", 5_000)}), export.Options{
		Limits: limit.Set{limit.ExportOutput.Name: 1_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), "x"); n > 1_100 || !strings.Contains(page.String(), "4000 bytes are left out here by the limit export-output") {
		t.Errorf("%d bytes of the output are shown in\n%.3000s", n, page.String())
	}
	if len(report.Limits) != 1 || report.Limits[0].Name != limit.ExportOutput.Name || report.Limits[0].Cut != 4_000 {
		t.Errorf("limits = %+v", report.Limits)
	}
}

func TestABlobThatIsTooLargeIsLeftOut(t *testing.T) {
	blob := longrein.Blob{ID: strings.Repeat("ab", 32), Bytes: 2_000}
	var lines bytes.Buffer
	report, err := export.JSONL(&lines, answered(longrein.ToolOutput{Text: "short", Full: &blob}), export.Options{
		Limits: limit.Set{limit.ExportBlob.Name: 1_000},
		Blob:   func(string, int64, int64) ([]byte, error) { return bytes.Repeat([]byte("y"), 2_000), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(lines.String(), "yyyy") || len(report.Limits) != 1 || report.Limits[0].Name != limit.ExportBlob.Name {
		t.Errorf("limits = %+v in\n%.2000s", report.Limits, lines.String())
	}
}
