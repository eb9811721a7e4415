package control

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// onPolicyRevoke revokes a grant. Only a panel may call it: revoking can loosen the
// policy as well as tighten it, and a program does not speak for the user.
func (c *conn) onPolicyRevoke(_ context.Context, from *rpc.Channel, p wire.GrantRef) (wire.PolicyInfo, error) {
	m := c.b.Manager
	if _, err := c.panel(from); err != nil {
		return wire.PolicyInfo{}, err
	}
	if m.Policies == nil {
		return wire.PolicyInfo{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "There are no grants here."}
	}
	err := m.Policies.Revoke(p.ID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wire.PolicyInfo{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "There is no such grant; it may have ended.", Hint: "Look at the list again."}
	case err != nil:
		return wire.PolicyInfo{}, err
	}
	return m.policyInfo(), m.auditGrant("", safety.Grant{ID: p.ID}, "revoke")
}

// onPolicyGrant allows or denies a class on a site. Only a panel may call it: a
// program does not speak for the user.
func (c *conn) onPolicyGrant(_ context.Context, from *rpc.Channel, p wire.PolicyGrantParams) (wire.PolicyInfo, error) {
	m := c.b.Manager
	if _, err := c.panel(from); err != nil {
		return wire.PolicyInfo{}, err
	}
	if m.Policies == nil {
		return wire.PolicyInfo{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "There are no grants here."}
	}
	g := safety.Grant{Site: p.Site, Class: safety.Class(p.Class), Deny: p.Deny, By: ByPanel}
	if p.Days < 0 {
		return wire.PolicyInfo{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "The number of days is below nothing.", Hint: "Give 1 or more, or leave it out."}
	}
	if p.Days > 0 {
		g.Created = time.Now()
		g.Expires = g.Created.AddDate(0, 0, min(p.Days, 10_000))
	}
	g, err := m.Policies.Grant(g)
	if err != nil {
		return wire.PolicyInfo{}, &wire.Error{
			Code: wire.CodeInvalidParams, Message: "That can't be granted: " + err.Error(),
			Hint: "Name a site such as shop.example and a class, for a year at most.",
		}
	}
	answer := "allow"
	if g.Deny {
		answer = "deny"
	}
	return m.policyInfo(), m.auditGrant("", g, answer)
}
