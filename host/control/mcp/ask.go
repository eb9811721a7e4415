package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/control/clientsession"
	"tabwright/host/native/wire"
)

// askKey names the question of a result. loginState is the request state of a
// question that waits for the user to sign in.
const (
	askKey     = "confirm"
	whyKey     = "why" // field for the reason in a question's form
	loginState = "login"
)

// cardText returns a card as lines of text. All of it comes from the page and the
// policy.
func cardText(c wire.ConfirmInfo) string {
	text := fmt.Sprintf("%s\nIt is to %s %s on %s.", c.Question(), c.Action, c.Target, c.Site)
	if c.Amount != "" {
		text += "\nAmount: " + c.Amount
	}
	for _, d := range c.Facts() {
		text += "\n" + d
	}
	for _, r := range c.Reasons {
		text += "\nBecause: " + r
	}
	return text
}

// doAsking does a call and lets the client ask its user about acts that need a
// confirmation. Depending on the client's protocol version, the SDK asks at once or
// has the client repeat the call with the answer.
func (s *server) doAsking(ctx context.Context, hand control.SessionClient, call action.Call, confirmation string, req *sdk.CallToolRequest) *sdk.CallToolResult {
	if req.Params.RequestState == loginState {
		if a, ok := req.Params.InputResponses[askKey].(*sdk.ElicitResult); ok && a.Action == "accept" {
			call.Params = json.RawMessage(`{"done":true}`)
		}
		return result(hand.Do(ctx, call, ""))
	}
	if id := req.Params.RequestState; id != "" {
		allow, why := false, ""
		if a, ok := req.Params.InputResponses[askKey].(*sdk.ElicitResult); ok && a.Action == "accept" {
			allow, _ = a.Content["allow"].(bool) // anything but true denies
			why, _ = a.Content[whyKey].(string)
		}
		if err := hand.Answer(ctx, id, allow, why); err != nil {
			return result(control.ResultOf(call.Name, err))
		}
		return result(withList(ctx, hand, call, hand.Do(ctx, call, id)))
	}
	r := s.checkLost(hand, hand.Do(ctx, call, confirmation)) // an unknown confirmation id is refused by the session
	caps := req.ClientCapabilities()
	asks := caps != nil && caps.Elicitation != nil
	if call.Name == clientsession.RequestLogin && r.Error == nil && asks && strings.Contains(string(r.Data), `"waiting"`) {
		return &sdk.CallToolResult{RequestState: loginState, InputRequests: sdk.InputRequestMap{askKey: &sdk.ElicitParams{
			Mode: "form", Message: r.Line + "\nAccept this when you have done it in the browser's window.",
			RequestedSchema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}},
		}}}
	}
	if r.Confirm == nil {
		return result(withList(ctx, hand, call, r))
	}
	if !asks {
		if err := hand.Answer(ctx, r.Confirm.ID, false, ""); err != nil {
			return result(control.ResultOf(call.Name, err))
		}
		r = hand.Do(ctx, call, r.Confirm.ID)
		const why = "this needs a user's word, and this MCP client can't ask one (it has no elicitation)"
		if r.Error != nil {
			if c := action.Code(r.Error.Code); c != action.Denied && c != action.StoppedAfter {
				return result(r)
			}
			r.Error.Message = action.Because(r.Error.Message, why)
			r.Text = string(r.Error.Code) + ": " + r.Error.Message + "\n" + r.Error.Hint
		}
		return result(r)
	}
	return &sdk.CallToolResult{RequestState: r.Confirm.ID, InputRequests: sdk.InputRequestMap{askKey: &sdk.ElicitParams{
		Mode: "form", Message: cardText(*r.Confirm),
		RequestedSchema: &jsonschema.Schema{
			Type: "object", Required: []string{"allow"},
			Properties: map[string]*jsonschema.Schema{
				"allow": {Type: "boolean", Title: r.Confirm.Question(), Description: "No is the safe answer"},
				whyKey:  {Type: "string", Title: "If not, why", Description: "What to do instead; the model reads it"},
			},
			PropertyOrder: []string{"allow", whyKey},
		},
	}}}
}
