package standin

import (
	"encoding/json"
	"net/http"
)

// pullPieces is in how many pieces a model is pulled.
const pullPieces = 4

// ollamaPull streams how far a model of the library has come, and has it then. What
// goes wrong stands in the stream: the answer has begun by then.
func (s *Server) ollamaPull(w http.ResponseWriter, r *http.Request) {
	var body struct{ Model, Name string }
	_ = json.NewDecoder(r.Body).Decode(&body) // an empty name is not found below
	name := body.Model + body.Name
	st := s.stream(w, r, "application/x-ndjson")
	say := func(v map[string]any) { st.write(mustJSON(v) + "\n") }
	say(map[string]any{"status": "pulling manifest"})
	size, ok := s.opts.Library[name]
	if !ok {
		say(map[string]any{"error": "pull model manifest: file does not exist"})
		return
	}
	for i := range int64(pullPieces) {
		done := size * (i + 1) / pullPieces
		say(map[string]any{"status": "pulling aabbccddeeff", "digest": "sha256:aabbccddeeff", "total": size, "completed": done})
		if s.opts.Pulling != nil {
			if err := s.opts.Pulling(r.Context(), done); err != nil {
				say(map[string]any{"error": err.Error()})
				return
			}
		}
	}
	for _, status := range []string{"verifying sha256 digest", "writing manifest"} {
		say(map[string]any{"status": status})
	}
	s.mu.Lock()
	s.pulled = append(s.pulled, OllamaModel{Name: name, Family: "standin", Capabilities: []string{"completion", "tools"}, Size: size})
	s.mu.Unlock()
	say(map[string]any{"status": "success"})
}
