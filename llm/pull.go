package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// PullProgress is the progress of a pull, in bytes of all parts that are known so far.
type PullProgress struct {
	Status      string
	Done, Total int64
}

// pullSilence is how long the server may be silent, such as while it verifies what
// it got.
const pullSilence = 10 * time.Minute

// modelName matches Ollama's names, [host[:port]/][namespace/]name[:tag].
var modelName = regexp.MustCompile(`^(?:[A-Za-z0-9][\w.-]{0,99}(?::\d{1,5})?/)?(?:[A-Za-z0-9][\w.-]{0,79}/){0,2}[A-Za-z0-9][\w.-]{0,79}(?::[\w][\w.-]{0,79})?$`)

// CheckPullName returns an error if name is no name of a model.
func CheckPullName(name string) error {
	if !modelName.MatchString(name) || strings.Contains(name, "..") {
		return &Error{Code: CodeBadRequest, Message: "“" + clip(name, 80) + "” is not a name of a model", Hint: "a name is like qwen3.5:4b, or hf.co/user/model:tag"}
	}
	return nil
}

// Pull has Ollama download a model, and calls see with the progress. If ctx ends,
// Pull ends, and Ollama keeps what it has downloaded for the next time.
func Pull(ctx context.Context, cfg Config, name string, see func(PullProgress)) error {
	if err := CheckPullName(name); err != nil {
		return err
	}
	cfg, p, err := resolve(cfg, false)
	if err != nil {
		return err
	}
	if p.format != formatOllama {
		return &Error{Code: CodeUnsupported, Message: "models can be pulled with Ollama only", Hint: "set provider to ollama"}
	}
	client := clientOf(cfg)
	o := &ollamaLLM{client: client, prov: p, base: cfg.BaseURL, model: name, key: cfg.APIKey, headers: cfg.Headers}
	ctx, touch, stop := watchdog(ctx, pullSilence, p.label)
	defer stop()
	resp, err := o.send(ctx, http.MethodPost, "/api/pull", map[string]any{"model": name, "stream": true})
	if err != nil {
		return pullError(err, name)
	}
	defer resp.Body.Close()
	lines := bufio.NewReaderSize(resp.Body, 32<<10)
	parts := map[string]PullProgress{}
	for {
		line, err := readLine(lines)
		if err != nil {
			if ctx.Err() != nil {
				return transportError(ctx, p.label, err)
			}
			return cutStream(p, err)
		}
		touch()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var f struct {
			Status, Digest   string
			Total, Completed int64
			Error            any
		}
		if err := json.Unmarshal(line, &f); err != nil {
			return &Error{Code: CodeStreamError, Message: "Ollama sent a line that is not JSON: " + clip(string(line), 120), Err: err}
		}
		if f.Error != nil {
			return pullError(&Error{Code: CodeServerError, Message: errorText(line)}, name)
		}
		if f.Digest != "" {
			parts[f.Digest] = PullProgress{Done: f.Completed, Total: f.Total}
		}
		sum := PullProgress{Status: f.Status}
		for _, part := range parts {
			sum.Done, sum.Total = sum.Done+part.Done, sum.Total+part.Total
		}
		see(sum)
		if f.Status == "success" {
			return nil
		}
	}
}

// pullFaults are the errors of a pull, by what the server says.
var pullFaults = []struct {
	says          *regexp.Regexp
	code          string
	message, hint string // %s is the name
}{
	{regexp.MustCompile(`(?i)requires a newer version|\b412\b`), CodeTooOld, "this Ollama is too old for %s", "update it from ollama.com/download"},
	{regexp.MustCompile(`(?i)file does not exist|not found|\b404\b`), CodeModelNotFound, "there is no model %s", "look up the name at ollama.com/library"},
	{regexp.MustCompile(`(?i)no space left|not enough space|disk full|disk quota`), CodeDiskFull, "there is no room for %s on the disk of the model server", "remove models that are not used: ollama rm NAME"},
	{regexp.MustCompile(`(?i)unauthori[sz]ed|forbidden|\b40[13]\b`), CodeUnauthorized, "%s may not be pulled without signing in", "sign in with: ollama signin"},
	{regexp.MustCompile(`(?i)no such host|dial tcp|network is unreachable|connection re(?:fused|set)|i/o timeout|tls|certificate|max retries|EOF|proxyconnect`), CodeNoNetwork, "the model server can't reach the library to get %s", "check its network, then pull again: it goes on where it was"},
}

// pullError returns a clear error for one that the server gave.
func pullError(err error, name string) error {
	e, ok := err.(*Error) //nolint:errorlint // send gives no other
	if !ok || e.Code == CodeCancelled || e.Code == CodeUnreachable || e.Code == CodeTimeout {
		return err
	}
	for _, f := range pullFaults {
		if f.says.MatchString(e.Message) {
			return &Error{Code: f.code, Message: strings.ReplaceAll(f.message, "%s", name), Hint: f.hint, Err: e}
		}
	}
	return e
}
