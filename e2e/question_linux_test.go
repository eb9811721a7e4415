package e2e

import (
	"strings"
	"testing"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
)

// asking asks its user before it answers, or has them sign in.
type asking struct{}

func (asking) Next(conv standin.Conversation) standin.Turn {
	all := ""
	for _, m := range conv.Messages {
		all += m.Text + "\n"
	}
	for _, word := range []string{"blue", "red", "done"} {
		if strings.Contains(all, "The user says: "+word) {
			return standin.Do("done", map[string]any{"success": true, "answer": "So " + word + "."})(standin.Observe(conv), conv)
		}
	}
	if strings.Contains(all, "sign in first") {
		return standin.Do("requestLogin", map[string]any{"reason": "Please sign in."})(standin.Observe(conv), conv)
	}
	return standin.Do("askUser", map[string]any{"question": "Which colour?"})(standin.Observe(conv), conv)
}

// A question is answered in the terminal, of a launched browser and of one's own, or
// in the panel; where there is no terminal it is said where.
func TestQuestionsInTheTerminal(t *testing.T) {
	w := newWorldOf(t, standin.Options{Format: standin.OllamaTools, Brain: asking{}})
	p := w.panel()
	page := strings.Replace(w.url, "shop.test", "127.0.0.1", 1)
	for _, c := range []struct {
		task, prompt, types, ends string
		flags                     []string
	}{
		{"choose a colour", "Your answer: ", "blue", "So blue.", []string{"--launch", "--headless"}},
		{"choose a colour", "here or in the side panel: ", "blue", "So blue.", nil},
		{"sign in first", "Press Enter when you are done. ", "", "So done.", nil},
		{"choose a colour", "here or in the side panel: ", "", "So red.", nil}, // in the panel
	} {
		tty, err := rig.OpenPTY()
		w.must(err)
		cmd := w.rig.Command(w.ctx, append([]string{"run", c.task, "--url", page}, c.flags...)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = tty.Line, tty.Line, tty.Line
		w.must(cmd.Start())
		w.must(tty.Until(w.ctx, c.prompt, 1))
		if c.ends == "So red." {
			w.must(p.Send(w.ctx, "red"))
		} else {
			w.must(tty.Type(c.types))
		}
		w.must(tty.Until(w.ctx, "✔ "+c.ends, 1))
		w.must(cmd.Wait())
		if c.ends == "So red." && !strings.Contains(tty.Shown(), "Answer: red (panel)") {
			t.Errorf("the terminal does not show the panel's answer: %s", tty.Shown())
		}
		w.must(tty.Close())
	}

	cmd := start(t, w.rig.Command(w.ctx, "run", "choose a colour", "--url", page))
	cmd.says(w.ctx, "Answer it in the Tabwright side panel")
	w.must(p.Send(w.ctx, "blue"))
	if code := cmd.wait(); code != 0 {
		t.Errorf("exit code %d\n%s", code, cmd.out.String())
	}
}
