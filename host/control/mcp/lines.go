package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is the longest message that is accepted, in bytes.
const maxLine = 64 << 20

// messages reads a client's lines, each one message (MCP 2025-06-18, "Transports",
// stdio), and passes the valid ones to the SDK, which would end the connection and
// its session at an invalid one. It answers an invalid line with an error (JSON-RPC
// 2.0, section 5.1).
type messages struct {
	in    io.ReadCloser
	lines *bufio.Reader
	out   io.Writer
	end   func() // called when the client has disconnected
	rest  []byte // unread part of the current line
}

func newMessages(in io.ReadCloser, out io.Writer, end func()) *messages {
	return &messages{in: in, lines: bufio.NewReaderSize(in, 64<<10), out: out, end: end}
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if len(bytes.TrimSpace(line)) > 0 {
			if bad := refusal(line); bad == nil {
				m.rest = append(bytes.TrimSpace(line), '\n')
			} else if _, err := m.out.Write(bad); err != nil {
				return 0, err
			}
		}
		if err != nil && len(m.rest) == 0 {
			m.end()
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line reads up to and including the next line break.
func (m *messages) line() ([]byte, error) {
	var all []byte
	for {
		part, err := m.lines.ReadSlice('\n')
		all = append(all, part...)
		switch {
		case len(all) > maxLine:
			return nil, fmt.Errorf("a message of more than %d bytes", maxLine)
		case !errors.Is(err, bufio.ErrBufferFull):
			return all, err
		}
	}
}

func (m *messages) Close() error { return m.in.Close() }

// refusal returns the answer to a line that is not a message, or nil if it is one. A
// batch is left to the SDK, which knows the agreed protocol version.
func refusal(line []byte) []byte {
	code, say := int64(jsonrpc.CodeParseError), "Parse error: this line is no JSON. Each message is one line of JSON-RPC 2.0."
	if json.Valid(line) {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")) {
			return nil
		}
		_, err := jsonrpc.DecodeMessage(line)
		if err == nil {
			return nil
		}
		code, say = jsonrpc.CodeInvalidRequest, "Invalid Request: "+err.Error()
	}
	out, _ := json.Marshal(map[string]any{ // can't fail: only strings and numbers
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": say},
	})
	return append(out, '\n')
}
