package realmodel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Server is a running Ollama with one model in it.
type Server struct {
	Base  string // its address, http://127.0.0.1:PORT
	Model string

	cmd    *exec.Cmd
	exited chan struct{}
	log    string
}

// Serve starts Ollama on a loopback address ("" takes a free port), with its
// models in .cache, and makes the model known to it. threads bounds its
// processors: more than are idle make it wait for them at each layer.
func Serve(ctx context.Context, in Installed, addr string, threads int) (*Server, error) {
	if addr == "" {
		ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		addr = ln.Addr().String()
		ln.Close()
	}
	home := filepath.Join(filepath.Dir(in.GGUF), "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, err
	}
	log, err := os.CreateTemp(home, "log-")
	if err != nil {
		return nil, err
	}
	defer log.Close() // the server has its own hold on it
	s := &Server{Base: "http://" + addr, Model: in.Model.Name, exited: make(chan struct{}), log: log.Name()}
	s.cmd = exec.Command(in.Ollama, "serve") //nolint:noctx // Close ends it, after its requests
	s.cmd.Env = append(os.Environ(), "HOME="+home, "OLLAMA_HOST="+addr, "OLLAMA_MODELS="+filepath.Join(home, "models"), "OLLAMA_NUM_PARALLEL=1", "OLLAMA_NOPRUNE=1")
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { _ = s.cmd.Wait(); close(s.exited) }()
	if err := s.prepare(ctx, in, threads); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close ends the server.
func (s *Server) Close() {
	_ = s.cmd.Process.Signal(os.Interrupt)
	select {
	case <-s.exited:
	case <-time.After(10 * time.Second):
		_ = s.cmd.Process.Kill()
		<-s.exited
	}
	_ = os.Remove(s.log)
}

// prepare waits until the server answers and makes the model.
func (s *Server) prepare(ctx context.Context, in Installed, threads int) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for {
		if _, err := s.call(ctx, http.MethodGet, "/api/version", nil); err == nil {
			break
		}
		select {
		case <-s.exited:
			return errors.New("the server ended; see " + s.log)
		case <-ctx.Done():
			return errors.New("the server does not answer")
		case <-time.After(50 * time.Millisecond):
		}
	}
	digest := "sha256:" + in.Model.SHA256
	if _, err := s.call(ctx, http.MethodHead, "/api/blobs/"+digest, nil); err != nil {
		f, err := os.Open(in.GGUF)
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := s.call(ctx, http.MethodPost, "/api/blobs/"+digest, f); err != nil {
			return err
		}
	}
	body, err := json.Marshal(map[string]any{
		"model": in.Model.Name, "files": map[string]string{"model.gguf": digest}, "template": in.Model.Template, "stream": false,
		"parameters": map[string]any{"num_thread": threads},
	})
	if err != nil {
		return err
	}
	_, err = s.call(ctx, http.MethodPost, "/api/create", bytes.NewReader(body))
	return err
}

// call makes one request; anything but a success is an error with its text.
func (s *Server) call(ctx context.Context, method, path string, body io.Reader) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.Base+path, body)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err == nil && resp.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, out)
	}
	return out, err
}

// dirOf reads the folder out of what `go mod download -json` says.
func dirOf(out []byte) (string, error) {
	var module struct{ Dir, Error string }
	if err := json.Unmarshal(out, &module); err != nil {
		return "", err
	}
	if module.Dir == "" {
		return "", errors.New(module.Error)
	}
	return module.Dir, nil
}

// chatML is the template of the Qwen2.5 family. Ollama reads from it that the
// model calls functions.
const chatML = `{{- if or .System .Tools }}<|im_start|>system
{{- if .System }}
{{ .System }}
{{- end }}
{{- if .Tools }}

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{{- range .Tools }}
{"type": "function", "function": {{ .Function }}}
{{- end }}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>
{{- end }}<|im_end|>
{{ end }}
{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 -}}
{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{ if .Content }}{{ .Content }}{{ end }}
{{- range .ToolCalls }}
<tool_call>
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
</tool_call>
{{- end }}{{ if not $last }}<|im_end|>
{{ end }}
{{- else if eq .Role "tool" }}<|im_start|>user
<tool_response>
{{ .Content }}
</tool_response><|im_end|>
{{ end }}
{{- if and (ne .Role "assistant") $last }}<|im_start|>assistant
{{ end }}
{{- end }}`
