package prompts

import (
	"strings"
	"testing"
)

func TestReplayNotices(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		for _, kind := range ReplayKinds {
			text := Notice(kind, lang, 3, 5, "why")
			if text == kind || !strings.Contains(text, "3") && kind != ReplayKept {
				t.Errorf("%s, %s: %q", kind, lang, text)
			}
		}
	}
	if got := Notice(ReplayDone, "en", 5, ""); got != "Done again: all 5 steps." {
		t.Errorf("%q", got)
	}
}
