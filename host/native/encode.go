package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"tabwright/host/native/wire"
)

// DecodeMessage decodes the bytes of one frame. If they are not a Message, the
// error has CodeMalformed, and the Message holds what could be read.
func DecodeMessage(b []byte) (wire.Message, error) {
	var m wire.Message
	if !utf8.Valid(b) {
		return m, wire.Malformed("the frame is not UTF-8")
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, wire.Malformed("the frame is not a message: %v", err)
	}
	return m, m.Check()
}

// Encode encodes m and leaves HeaderSize bytes in front for the header. The
// envelope is written by hand: json.Marshal would compact and check Params and
// Result again, which are encoded or checked already.
func Encode(m *wire.Message) ([]byte, error) {
	b := make([]byte, HeaderSize, HeaderSize+128+len(m.Params)+len(m.Result))
	b = append(b, `{"kind":`...)
	b = appendString(b, string(m.Kind))
	if m.Chan != "" {
		b = appendString(append(b, `,"chan":`...), m.Chan)
	}
	if m.ID != 0 {
		b = strconv.AppendUint(append(b, `,"id":`...), m.ID, 10)
	}
	if m.Method != "" {
		b = appendString(append(b, `,"method":`...), m.Method)
	}
	if len(m.Params) > 0 {
		b = append(append(b, `,"params":`...), m.Params...)
	}
	if len(m.Result) > 0 {
		b = append(append(b, `,"result":`...), m.Result...)
	}
	for _, part := range []struct {
		key  string
		some bool
		val  any
	}{{`,"error":`, m.Error != nil, m.Error}, {`,"chunk":`, m.Chunk != nil, m.Chunk}} {
		if !part.some {
			continue
		}
		enc, err := marshal(part.val)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", m.Kind, err)
		}
		b = append(append(b, part.key...), enc...)
	}
	b = append(b, '}')
	// Chrome drops the port over a byte that is not UTF-8; text from a page may
	// have been cut inside a character.
	if !utf8.Valid(b[HeaderSize:]) {
		b = append(b[:HeaderSize:HeaderSize], bytes.ToValidUTF8(b[HeaderSize:], []byte("\uFFFD"))...)
	}
	return b, nil
}

// RawJSON encodes v. It returns raw JSON as it is, after a check, and nil for
// nil.
func RawJSON(v any) (json.RawMessage, error) {
	var raw json.RawMessage
	switch t := v.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		raw = t
	case *json.RawMessage:
		if t != nil {
			raw = *t
		}
	default:
		return marshal(v)
	}
	if len(raw) > 0 && !json.Valid(raw) {
		return nil, errors.New("raw JSON is not valid")
	}
	return raw, nil
}

// marshal is json.Marshal without the escaping of <, > and &: page text is full
// of them, and none of our readers needs it.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// appendString appends s as a JSON string. Printable ASCII without quotes and
// backslashes, as names almost always are, is copied as it is.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			q, err := marshal(s)
			if err != nil { // a string always encodes
				return append(b, `""`...)
			}
			return append(b, q...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
