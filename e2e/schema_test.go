package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/host/native/wire"
)

const teamSchema = `{"type":"object","required":["founders"],"additionalProperties":false,"properties":{"founders":{"type":"array","minItems":2,
 "items":{"type":"object","required":["name","since"],"properties":{"name":{"type":"string"},"since":{"type":"integer"}}}}}}`

// A result that fits its schema, alone on standard output, with the page of each
// value; what does not fit goes back with everything that is wrong.
func TestRunWithASchema(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		page := map[string]string{
			"/a": "<title>Firm A</title><h1>Firm A</h1><button>Founded by Ada Lovelace in 1998</button>",
			"/b": "<title>Firm B</title><h1>Firm B</h1><button>Founded by Grace Hopper in 2004</button>",
		}[r.URL.Path]
		_, _ = w.Write([]byte(page)) // the browser may have gone
	}))
	defer server.Close()
	told, wrong := "", ""
	founder := func(name string, since any) map[string]any { return map[string]any{"name": name, "since": since} }
	done := func(founders ...any) standin.Step {
		raw, err := json.Marshal(map[string]any{"founders": founders})
		if err != nil {
			t.Error(err)
		}
		return standin.Do("done", map[string]any{"success": true, "answer": string(raw)})
	}
	model := standin.New(standin.Options{Format: standin.OllamaTools, Brain: standin.NewScript(
		func(o standin.Observation, conv standin.Conversation) standin.Turn {
			for _, m := range conv.Messages {
				told += m.Text
			}
			return standin.Turn{Calls: []standin.Call{{Name: "navigate", Args: map[string]any{"url": server.URL + "/b"}}}}
		},
		done(founder("Ada Lovelace", "1998")),
		func(o standin.Observation, conv standin.Conversation) standin.Turn {
			for _, m := range conv.Messages {
				wrong += m.Text
			}
			return done(founder("Ada Lovelace", 1998), founder("Grace Hopper", 2004), founder("Invented Person", 2011))(o, conv)
		},
	)})
	defer model.Close()
	c := newCLI(t, provider(model)...)
	schema := filepath.Join(c.dir, "founders.json")
	if err := os.WriteFile(schema, []byte(teamSchema), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := c.command("run", "who founded these firms, and when?", "--schema", schema, "--sources",
		"--url", server.URL+"/a", "--url", server.URL+"/b", "--launch", "--headless", "--confirm", "deny")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var got wire.TaskResult
	if err == nil {
		err = json.Unmarshal(out, &got)
	}
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, errs.String())
	}
	if !strings.Contains(told, "minItems") || !strings.Contains(told, server.URL+"/b") {
		t.Error("the model was not told of the schema or the pages")
	}
	for _, want := range []string{"/founders: ", "/founders/0/since", "minItems"} {
		if !strings.Contains(wrong, want) {
			t.Errorf("what was wrong did not go back in full: no %q", want)
		}
	}
	want := []wire.ValueSource{
		{Path: "/founders/0/name", URL: server.URL + "/a", Title: "Firm A"},
		{Path: "/founders/0/since", URL: server.URL + "/a", Title: "Firm A"},
		{Path: "/founders/1/name", URL: server.URL + "/b", Title: "Firm B"},
		{Path: "/founders/1/since", URL: server.URL + "/b", Title: "Firm B"},
		{Path: "/founders/2/name"},
		{Path: "/founders/2/since"},
	}
	if !slices.Equal(got.Sources, want) {
		t.Errorf("sources %+v", got.Sources)
	}
	if !strings.Contains(errs.String(), "the value of /founders/2/name is on no page that was read") {
		t.Errorf("it is not said what stands on no page:\n%s", errs.String())
	}
	nothingRuns(t, c.mark)
}
