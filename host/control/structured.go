package control

import (
	"encoding/json"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"tabwright/host/native"
)

// Structured is a result as programs read it: the fields of the action's data
// beside those that all actions have.
func Structured(r native.SessionResult) map[string]any {
	out := map[string]any{"action": r.Action, "pageRev": r.PageRev}
	for k, v := range map[string]string{"line": r.Line, "target": r.Target, "site": r.Site, "effect": r.Effect, "url": r.URL} {
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
	fields := map[string]json.RawMessage{}
	if jsonv2.Unmarshal(r.Data, &fields, jsonv2.AllowInvalidUTF8(true)) == nil {
		for k, v := range fields {
			out[k] = v
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
