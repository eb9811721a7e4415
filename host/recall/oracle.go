package recall

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"tabwright/host/browser"
)

//go:embed oracle.js
var oracle string

const group = "recall" // of the objects that the oracle holds

// Element is something in view that a user could operate.
type Element struct {
	Node int64  // Chromium's number of its node
	How  string // native, role, tabindex or pointer
	Tag  string
	Role string // what Chromium's tree calls it, in ARIA's words; empty where it has no such role
	Name string // what Chromium's tree calls it, but for what an icon font draws; where that has nothing, the words that it shows
	// Heard says that the name is from Chromium's tree.
	Heard bool
}

// heardRoles are the roles of Chromium's tree that a line has to say.
var heardRoles = strings.Fields("button link textbox searchbox checkbox radio combobox listbox option menuitem menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem")

// ariaRole puts Chromium's own words into ARIA's.
func ariaRole(role string) string {
	switch role {
	case "DisclosureTriangle", "DisclosureTriangleGrouped", "ColorWell", "PopUpButton":
		return "button"
	case "Date", "DateTime", "InputTime":
		return "textbox"
	}
	if slices.Contains(heardRoles, role) {
		return role
	}
	return ""
}

// InView says what a user could operate in the viewport of a tab.
func InView(ctx context.Context, t *browser.Tab) ([]Element, error) {
	main, err := t.MainFrame(ctx)
	if err != nil {
		return nil, err
	}
	s := main.Session()
	world, err := cdp.Call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: cdp.FrameID(main.ID()), WorldName: group})
	if err != nil {
		return nil, err
	}
	res, err := cdp.Call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: oracle, ContextID: world.ExecutionContextID, ObjectGroup: group})
	if err != nil {
		return nil, err
	}
	if d := res.ExceptionDetails; d != nil {
		return nil, fmt.Errorf("read what is in view: %s", d.Text)
	}
	defer func() {
		_, _ = cdp.Call(ctx, s, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	}()
	yes := true
	props, err := cdp.Call(ctx, s, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: res.Result.ObjectID, OwnProperties: &yes})
	if err != nil {
		return nil, err
	}
	objects := map[int]runtime.RemoteObjectID{}
	var about []struct {
		How, Tag, Type, Text, Title string
		Signs                       []string
		Outer                       int
	}
	for _, p := range props.Result {
		n, err := strconv.Atoi(p.Name)
		switch {
		case err != nil || p.Value == nil:
		case p.Value.ObjectID != "":
			objects[n] = p.Value.ObjectID
		default:
			var text string
			if err := errors.Join(json.Unmarshal([]byte(p.Value.Value), &text), json.Unmarshal([]byte(text), &about)); err != nil {
				return nil, err
			}
		}
	}
	if _, err := cdp.Call(ctx, s, accessibility.Enable, cdp.Empty{}); err != nil { // keeps the tree between the questions
		return nil, err
	}
	defer func() { _, _ = cdp.Call(ctx, s, accessibility.Disable, cdp.Empty{}) }()
	out := make([]Element, 0, len(about))
	for i, a := range about {
		e := Element{How: a.How, Tag: a.Tag, Name: a.Text}
		if e.Name == "" {
			e.Name = a.Title
		}
		no := false
		tree, err := cdp.Call(ctx, s, accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{ObjectID: objects[i], FetchRelatives: &no})
		if err != nil {
			return nil, err
		}
		for _, n := range tree.Nodes {
			e.Node = int64(n.BackendDOMNodeID)
			if n.Ignored {
				continue
			}
			e.Role = ariaRole(valueOf(n.Role))
			if name := valueOf(n.Name); name != "" {
				e.Name, e.Heard = name, true
			}
		}
		for _, sign := range a.Signs {
			if rest := strings.TrimSpace(strings.Replace(e.Name, sign, "", 1)); rest != "" {
				e.Name = rest
			}
		}
		out = append(out, e)
	}
	// One control in another of the same name is one to a user.
	keep := out[:0]
	for i, e := range out {
		twin := false
		for j, a := range about {
			twin = twin || a.Outer == i && e.How != "native" && same(out[j].Name, e.Name)
		}
		if !twin {
			keep = append(keep, e)
		}
	}
	return keep, nil
}

func valueOf(v *accessibility.Value) string {
	var s string
	if v == nil || json.Unmarshal([]byte(v.Value), &s) != nil {
		return ""
	}
	return s
}
