package sim

import (
	"os"
	"strings"
	"testing"
)

// The guide's script is one.
func TestTheGuidesScriptParses(t *testing.T) {
	guide, err := os.ReadFile("../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(guide), "    # Looks for a port")
	script, _, ok2 := strings.Cut(after, "    END\n")
	if !ok || !ok2 {
		t.Fatal("the guide has no script")
	}
	s, err := ParseScript("guide", []byte("#"+script+"    END\n"))
	if err != nil || s.Name != "find-port" {
		t.Errorf("the script is %+v, %v", s, err)
	}
	for word := range words {
		if !strings.Contains(string(guide), "`"+word+"`") {
			t.Errorf("the guide does not tell of the word %q", word)
		}
	}
	for _, name := range Builtins() {
		if !strings.Contains(string(guide), "`sim:"+name+"`") {
			t.Errorf("the guide does not tell of the script %q", name)
		}
	}
}
