package llm_test

import (
	"encoding/json"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

// What is said of thinking is as the model takes it, and nothing to one that does not
// think: Ollama refuses that.
func TestThinkAsTheModelTakesIt(t *testing.T) {
	const native, schema = standin.OllamaTools, standin.OllamaSchema
	cases := []struct {
		name   string
		is     standin.Options
		user   string
		brief  bool
		want   string // of the request, as JSON; empty: nothing is said
		thinks bool
	}{
		{"one that does not think", standin.Options{Format: native}, "true", false, "", true},
		{"left unset it is on", standin.Options{Format: native, Thinks: true}, "", false, "true", true},
		{"the user's no", standin.Options{Format: native, Thinks: true}, "false", false, "false", false},
		{"a level where there are none", standin.Options{Format: native, Thinks: true}, "high", false, "true", true},
		{"in brief", standin.Options{Format: native, Thinks: true}, "true", true, "false", false},
		{"constrained", standin.Options{Format: schema, Thinks: true}, "", false, "false", false},
		{"levels, unset", standin.Options{Format: native, Thinks: true, Levels: true}, "", false, "", true},
		{"levels, yes", standin.Options{Format: native, Thinks: true, Levels: true}, "true", false, "", true},
		{"levels, one of them", standin.Options{Format: native, Thinks: true, Levels: true}, "high", false, `"high"`, true},
		{"levels, no: it can't do without", standin.Options{Format: native, Thinks: true, Levels: true}, "false", false, `"low"`, true},
		{"levels, in brief", standin.Options{Format: native, Thinks: true, Levels: true}, "high", true, `"low"`, true},
		{"levels, constrained", standin.Options{Format: schema, Thinks: true, Levels: true}, "", false, `"low"`, true},
	}
	for _, c := range cases {
		c.is.Brain = standin.BrainFunc(func(standin.Conversation) standin.Turn {
			return standin.Turn{Reasoning: "hm", Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": 1}}}}
		})
		s := start(t, c.is)
		cfg := config(s)
		cfg.Think = c.user
		req := ask("go")
		req.Brief = c.brief
		reply, err := model(t, cfg).Chat(t.Context(), req, nil)
		if err != nil || len(reply.Calls) != 1 || (reply.Reasoning != "") != c.thinks {
			t.Errorf("%s: %s thought %q, %v", c.name, show(reply), reply.Reasoning, err)
			continue
		}
		var body struct {
			Think   json.RawMessage
			Options map[string]any
		}
		if err := json.Unmarshal(s.Requests()[0].Body, &body); err != nil || string(body.Think) != c.want {
			t.Errorf("%s: think %s, want %s (%v)", c.name, body.Think, c.want, err)
		}
		if _, set := body.Options["temperature"]; set {
			t.Errorf("%s: a temperature that nobody set", c.name)
		}
	}
}

// The temperature is the model's own unless the user sets it, also where that is zero.
func TestTemperatureIsTheUsers(t *testing.T) {
	for _, f := range formats {
		for _, given := range []*float64{nil, new(float64)} {
			s := start(t, standin.Options{Format: f.format, Brain: standin.NewScript(standin.Say("hi"))})
			cfg := config(s)
			cfg.Temperature = given
			if _, err := model(t, cfg).Chat(t.Context(), llm.Request{Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil); err != nil {
				t.Fatal(err)
			}
			var body struct {
				Temperature *float64
				Options     struct{ Temperature *float64 }
			}
			err := json.Unmarshal(s.Requests()[0].Body, &body)
			sent := body.Temperature
			if sent == nil {
				sent = body.Options.Temperature
			}
			if err != nil || (sent != nil) != (given != nil) {
				t.Errorf("%s: given %v, sent %v (%v)", f.name, given, sent, err)
			}
		}
	}
}
