package safety

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLists: every list of words is used by a rule, and a word of two classes has the graver one.
func TestLists(t *testing.T) {
	files, _ := filepath.Glob("*.go")
	var code strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(data)
	}
	for name, lines := range lists {
		begin := strings.LastIndex(name, " ")
		of := name[:max(begin, 0)]
		if !strings.Contains(code.String(), `"`+name+`"`) && !strings.Contains(code.String(), `classList("`+of+`")`) || len(lines) == 0 {
			t.Errorf("[%s]: %d lines, and no rule asks for it", name, len(lines))
		}
	}
	if c := postWords["withdraw"]; c != Purchase {
		t.Errorf("withdraw is of class %q", c)
	}
}
