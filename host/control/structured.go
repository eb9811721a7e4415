package control

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"tabwright/host/native/wire"
)

// envelope lists the fields of a result that only the host writes. An action's data
// may override the page's address and revision (url, pageRev), but none of these.
var envelope = map[string]bool{
	"action": true, "line": true, "target": true, "site": true, "effect": true, "part": true, "profile": true, "browser": true, "notes": true, "error": true,
	"confirm": true, "image": true,
}

// StructuredResult returns a result as programs read it: the fields of the action's data
// beside the fields that all actions have.
func StructuredResult(r wire.SessionResult) map[string]any {
	out := map[string]any{"action": r.Action, "pageRev": r.PageRev}
	for k, v := range map[string]string{"line": r.Line, "target": r.Target, "site": r.Site, "effect": r.Effect, "part": r.Part, "url": r.URL, "profile": r.Profile, "browser": r.Browser} {
		if v != "" {
			out[k] = v
		}
	}
	if len(r.Notes) > 0 {
		out["notes"] = r.Notes
	}
	if r.Error != nil {
		e := map[string]any{"code": r.Error.Code, "message": r.Error.Message, "hint": r.Error.Hint}
		if len(r.Error.Data) > 0 {
			e["data"] = r.Error.Data
		}
		if r.Confirm != nil {
			e["confirmation_id"] = r.Confirm.ID
		}
		out["error"] = e
		return out
	}
	if len(r.Data) == 0 || string(r.Data) == "null" {
		return out
	}
	fields, ok := fieldsOf(r.Data)
	if !ok {
		ok = jsonv2.Unmarshal(r.Data, &fields, jsonv2.AllowInvalidUTF8(true)) == nil
	}
	if ok {
		for k, v := range fields {
			if !envelope[k] {
				out[k] = v
			}
		}
		return out
	}
	switch {
	case r.Data[0] == '[' && r.Action == "getElementDetails":
		out["elements"] = r.Data
	case r.Data[0] == '[':
		out["items"] = r.Data
	default:
		out["value"] = r.Data
	}
	return out
}

// fieldsOf splits a JSON object into its fields without parsing their values, since
// data can be large. It accepts only what a marshaller writes: no space between
// values, plain names, each once.
func fieldsOf(data json.RawMessage) (map[string]json.RawMessage, bool) {
	out := map[string]json.RawMessage{}
	if len(data) < 2 || data[0] != '{' {
		return nil, false
	}
	for at := 1; ; {
		name, value, ok := field(data[at:])
		if _, twice := out[name]; !ok || twice {
			return nil, false
		}
		out[name] = value
		at += len(name) + len(`"":`) + len(value)
		if data[at] == '}' {
			return out, at == len(data)-1
		}
		at++ // the comma
	}
}

// field reads the name and value at the beginning of data, up to the comma or
// bracket behind them.
func field(data []byte) (name string, value json.RawMessage, ok bool) {
	end := bytes.IndexByte(data[min(1, len(data)):], '"') + 1
	if end == 0 || data[0] != '"' || end+1 >= len(data) || data[end+1] != ':' {
		return "", nil, false
	}
	for _, c := range data[1:end] {
		if c == '\\' || c >= utf8.RuneSelf {
			return "", nil, false
		}
	}
	from, deep, inString := end+2, 0, false
	for i := from; i < len(data); i++ {
		switch c := data[i]; {
		case inString:
			if c == '\\' {
				i++
			}
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			deep++
		case deep == 0 && (c == ',' || c == '}'):
			return string(data[1:end]), json.RawMessage(data[from:i]), i > from
		case c == '}' || c == ']':
			deep--
		case c <= ' ':
			return "", nil, false
		}
	}
	return "", nil, false
}
