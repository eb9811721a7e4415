package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// answers holds the encoded results whose marks pass through the SDK. The SDK itself
// parses and copies the JSON of a result four times: its texts and raw values, the
// result, the response, and the message. A page with a thousand controls is half a
// megabyte. So a result is encoded once, the SDK gets a short mark in its place, and
// Write replaces the mark by the result.
type answers struct {
	out  io.WriteCloser
	mark []byte // beginning of each mark; random, so that no text contains it

	mu   sync.Mutex
	next int
	kept map[int][]byte
}

func newAnswers(out io.WriteCloser) *answers {
	return &answers{out: out, mark: []byte(`"tabwright-` + rand.Text() + `-`), kept: map[int][]byte{}}
}

// answer is a result that is encoded once. The SDK marshals it right before it writes
// it or ends the connection. If it marshals twice, the second replaces the first.
type answer struct {
	*sdk.CallToolResult
	all    *answers
	number int // of its mark
}

// middleware replaces each tool result by an answer.
func (a *answers) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		if r, ok := res.(*sdk.CallToolResult); ok && r != nil && err == nil {
			return answer{r, a, a.number()}, nil
		}
		return res, err
	}
}

// number returns the number of a new mark.
func (a *answers) number() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next++
	return a.next
}

// MarshalJSON encodes the result, keeps it and returns its mark.
func (r answer) MarshalJSON() ([]byte, error) {
	raw, err := encode(r.CallToolResult)
	if err != nil {
		return nil, err
	}
	a := r.all
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept[r.number] = raw
	return append(strconv.AppendInt(slices.Clone(a.mark), int64(r.number), 10), '"'), nil
}

// Write writes p, with each mark replaced by its result, in one piece.
func (a *answers) Write(p []byte) (int, error) {
	rest, out := p, []byte(nil)
	for {
		i := bytes.Index(rest, a.mark)
		if i < 0 {
			break
		}
		number, after, ok := bytes.Cut(rest[i+len(a.mark):], []byte{'"'})
		raw := a.take(number)
		if !ok || raw == nil {
			return 0, fmt.Errorf("no result has the mark %q", number)
		}
		if out == nil {
			out = make([]byte, 0, len(p)+len(raw))
		}
		out = append(append(out, rest[:i]...), raw...)
		rest = after
	}
	if out == nil {
		return a.out.Write(p)
	}
	if _, err := a.out.Write(append(out, rest...)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (a *answers) take(number []byte) []byte {
	n, err := strconv.Atoi(string(number))
	if err != nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	raw := a.kept[n]
	delete(a.kept, n)
	return raw
}

func (a *answers) Close() error { return a.out.Close() }

// frameOnly is how the SDK writes a result with neither content nor structure.
const frameOnly = `"content":[],"structuredContent":0`

// frameOf returns a result as the SDK writes it without content and structure.
func frameOf(r *sdk.CallToolResult) ([]byte, error) {
	frame := *r
	frame.Content, frame.StructuredContent = []sdk.Content{}, json.RawMessage("0")
	return frame.MarshalJSON()
}

// encode writes a result as the SDK does.
func encode(r *sdk.CallToolResult) ([]byte, error) {
	fields, ok := r.StructuredContent.(map[string]any)
	if !ok || len(r.Meta) > 0 { // Meta may contain frameOnly
		return r.MarshalJSON()
	}
	raw, err := frameOf(r)
	if err != nil {
		return nil, err
	}
	before, after, ok := bytes.Cut(raw, []byte(frameOnly))
	if !ok {
		return r.MarshalJSON()
	}
	size := len(raw)
	for _, v := range fields {
		if v, ok := v.(json.RawMessage); ok {
			size += len(v) + 64
		}
	}
	for _, c := range r.Content {
		if c, ok := c.(*sdk.TextContent); ok {
			size += len(c.Text) + len(c.Text)/8
		}
	}
	out := append(append(make([]byte, 0, size), before...), `"content":[`...)
	for i, c := range r.Content {
		part, err := c.MarshalJSON()
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, part...)
	}
	out = append(out, `],"structuredContent":`...)
	if out, err = appendFields(out, fields); err != nil {
		return nil, err
	}
	return append(out, after...), nil
}

// appendFields writes an object as encoding/json does.
func appendFields(out []byte, fields map[string]any) ([]byte, error) {
	out = append(out, '{')
	for i, name := range slices.Sorted(maps.Keys(fields)) {
		if i > 0 {
			out = append(out, ',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		out = append(append(out, key...), ':')
		value, ok := fields[name].(json.RawMessage)
		if !ok || !isCanonical(value) {
			if value, err = json.Marshal(fields[name]); err != nil {
				return nil, err
			}
		}
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

// isCanonical reports whether encoding/json would leave raw as it is: no spaces
// between values, and nothing that it escapes for HTML. raw must be valid JSON, as
// from a marshaller or a parsed message.
func isCanonical(raw json.RawMessage) bool {
	inString := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case '"':
			inString = !inString
		case '\\':
			i++
		case ' ', '\n', '\r', '\t':
			if !inString {
				return false
			}
		case '<', '>', '&':
			return false
		case 0xE2: // U+2028 and U+2029
			if i+2 < len(raw) && raw[i+1] == 0x80 && raw[i+2]&^1 == 0xA8 {
				return false
			}
		}
	}
	return len(raw) > 0
}
