package llm_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"tabwright/llm"
)

// A form takes the place of the tools' schema in the schema way, and what is in no
// form is read as any other reply.
func TestForm(t *testing.T) {
	form := &llm.Form{
		System: "Say yes or no.",
		Schema: json.RawMessage(`{"type":"object","properties":{"yes":{"type":"boolean"}},"required":["yes"]}`), Keys: []string{"yes"},
		Read: func(reply json.RawMessage) (llm.Call, error) {
			if strings.Contains(string(reply), "false") {
				return llm.Call{}, errors.New("say yes")
			}
			return llm.Call{Name: "browser_action", Args: json.RawMessage(`{"action":"click","params":{"index":7}}`)}, nil
		},
	}
	for _, c := range []struct{ reply, args, problem string }{
		{`{"yes": true}`, `{"action":"click","params":{"index":7}}`, ""},
		{"<think>hm</think>\n{\"yes\": true}\n", `{"action":"click","params":{"index":7}}`, ""},
		{`{"yes": false}`, "", "say yes"},
		{`{"action":"click","params":{"index":9}}`, `{"action":"click","params":{"index":9}}`, ""},
		{"```json\n{\"action\":\"click\",\"params\":{\"index\":9}}\n```", `{"action":"click","params":{"index":9}}`, ""},
		{`{"yes": tr`, "", "JSON"},
	} {
		var sent string
		cfg, _ := openAIServer(t, func(_ int, body string) (int, string) { sent = body; return 200, say(c.reply) })
		off := false
		cfg.Tools = &off
		req := ask("go")
		req.Form = form
		got, err := model(t, cfg).Chat(t.Context(), req, nil)
		if !strings.Contains(sent, `"yes":`) || strings.Contains(sent, `"params":`) || !strings.Contains(sent, form.System) || strings.Contains(sent, "You act.") {
			t.Fatalf("the server was not given the form: %s", sent)
		}
		switch {
		case c.problem != "":
			if llm.CodeOf(err) != llm.CodeBadReply || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%s: %v, want %q", c.reply, err, c.problem)
			}
		case err != nil || len(got.Calls) != 1 || string(got.Calls[0].Args) != c.args || got.Calls[0].ID == "":
			t.Errorf("%s: %+v %v", c.reply, got, err)
		}
	}
}
