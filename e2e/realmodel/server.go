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
	"strconv"
	"time"

	"tabwright/host/tether"
)

// Server is a running model server.
type Server struct {
	Base  string // its address, http://127.0.0.1:PORT
	Model string // the one that it has, where it has but one

	tie  *tether.Tether
	log  *os.File
	home string // of an Ollama: where its models are
}

// Serve starts Ollama on a loopback address ("" takes a free port), with its
// models in .cache, and makes the model known to it. threads bounds its
// processors: more than are idle make it wait for them at each layer.
func Serve(ctx context.Context, in Installed, addr string, threads int) (*Server, error) {
	s, err := StartOllama(ctx, in.Ollama, addr, filepath.Join(cache(), "models", "home"))
	if err != nil {
		return nil, err
	}
	if err := s.Create(ctx, in, threads); err != nil {
		s.Close()
		return nil, err
	}
	s.Model = in.Model.Name
	return s, nil
}

// ServeOpenAI starts llama-cpp-python's server with the model. Its address for
// clients is that of Base with /v1 behind it.
func ServeOpenAI(ctx context.Context, in Installed, addr string, threads int) (*Server, error) {
	addr, err := listenAddr(ctx, addr)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	n := strconv.Itoa(threads)
	s := &Server{Model: in.Model.Name}
	return s, s.start(ctx, addr, "/v1/models", nil, in.OpenAI, "-m", "llama_cpp.server", "--host", host, "--port", port,
		"--model", in.GGUF, "--model_alias", in.Model.Name, "--n_ctx", "16384", "--n_threads", n, "--n_threads_batch", n)
}

// StartOllama starts a version of Ollama, with its models in home.
func StartOllama(ctx context.Context, bin, addr, home string) (*Server, error) {
	addr, err := listenAddr(ctx, addr)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(home, "models", "blobs"), 0o755); err != nil {
		return nil, err
	}
	s := &Server{home: home}
	return s, s.start(ctx, addr, "/api/version", []string{
		"HOME=" + home, "OLLAMA_HOST=" + addr, "OLLAMA_MODELS=" + filepath.Join(home, "models"),
		"OLLAMA_DEBUG=0", "OLLAMA_NUM_PARALLEL=1", "OLLAMA_NOPRUNE=1",
	}, bin, "serve")
}

// Create makes an installed model known to Ollama, which takes its file by a link
// where it can.
func (s *Server) Create(ctx context.Context, in Installed, threads int) error {
	if err := s.addBlob(ctx, in.GGUF, in.Model.SHA256); err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{
		"model": in.Model.Name, "files": map[string]string{"model.gguf": "sha256:" + in.Model.SHA256}, "template": in.Model.Template,
		"stream": false, "parameters": map[string]any{"num_thread": threads},
	})
	if err != nil {
		return err
	}
	out, err := s.call(ctx, http.MethodPost, "/api/create", bytes.NewReader(body))
	if err == nil && bytes.Contains(out, []byte(`"error"`)) {
		err = fmt.Errorf("create %s: %s", in.Model.Name, out)
	}
	return err
}

func (s *Server) addBlob(ctx context.Context, gguf, sum string) error {
	blob := filepath.Join(s.home, "models", "blobs", "sha256-"+sum)
	if err := os.Link(gguf, blob); err == nil || errors.Is(err, os.ErrExist) {
		return nil
	}
	f, err := os.Open(gguf)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = s.call(ctx, http.MethodPost, "/api/blobs/sha256:"+sum, f)
	return err
}

// Close ends the server, and what it has started.
func (s *Server) Close() {
	s.tie.Terminate()
	select {
	case <-s.tie.Done():
	case <-time.After(10 * time.Second): // killed below
	}
	_ = s.tie.Close()
	_ = s.log.Close()
	_ = os.Remove(s.log.Name())
}

// Log gives the end of what the server has written.
func (s *Server) Log() string {
	raw, err := os.ReadFile(s.log.Name())
	if err != nil {
		return err.Error()
	}
	return string(raw[max(0, len(raw)-4000):])
}

// startTime bounds how long a server may take until it answers.
const startTime = 2 * time.Minute

// start runs a server and waits until it answers at ready.
func (s *Server) start(ctx context.Context, addr, ready string, env []string, bin string, args ...string) (err error) {
	if s.log, err = os.CreateTemp("", "model-server-"); err != nil {
		return err
	}
	s.Base = "http://" + addr
	cmd := exec.Command(bin, args...) //nolint:noctx // Close ends it, after its requests
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if s.tie, err = tether.New(`rm -f "$1"`, s.log.Name()); err != nil {
		return err
	}
	if err := s.tie.Start(cmd); err != nil {
		return errors.Join(err, s.tie.Close())
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		if _, err := s.call(ctx, http.MethodGet, ready, nil); err == nil {
			return nil
		}
		select {
		case <-s.tie.Done():
			err = errors.New("the server ended")
		case <-ctx.Done():
			err = errors.New("the server does not answer")
		case <-time.After(50 * time.Millisecond):
			continue
		}
		err = fmt.Errorf("%s: %w\n%s", filepath.Base(bin), err, s.Log())
		s.Close()
		return err
	}
}

// listenAddr gives an address that is free, where none is named.
func listenAddr(ctx context.Context, addr string) (string, error) {
	if addr != "" {
		return addr, nil
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer ln.Close()
	return ln.Addr().String(), nil
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
