package action

import (
	"context"
	"fmt"
	"strings"

	"tabwright/host/action/page"
	"tabwright/host/action/spec"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// ElementParams name the element to read.
type ElementParams struct{ Target }

// GetTextParams are the parameters of getText.
type GetTextParams struct {
	Target        // the whole page if left out
	MaxChars *int `json:"maxChars,omitempty" jsonschema:"8000 if left out"`
}

// GetAttributeParams are the parameters of getAttribute.
type GetAttributeParams struct {
	Target
	Name string `json:"name" jsonschema:"name of the attribute"`
}

// GetHTMLParams are the parameters of getHTML.
type GetHTMLParams struct {
	Target         // the whole page if left out
	Inner    *bool `json:"inner,omitempty" jsonschema:"only what is inside of the element"`
	MaxChars *int  `json:"maxChars,omitempty" jsonschema:"20000 if left out"`
}

const (
	defaultText = 8000
	defaultHTML = 20000
	// mostChars bounds the result of one reading, whatever was asked for.
	mostChars = 200000
)

func elementActions() []declared {
	read := func(name string) Spec {
		return Spec{Name: name, Family: "reading", Class: safety.Read, NeedsTab: true}
	}
	text := read("getText")
	text.Strong = true
	return []declared{
		declare(text, getText, spec.Between("maxChars", 1, mostChars)),
		declare(read("getAttribute"), getAttribute),
		declare(read("getHTML"), getHTML, spec.Between("maxChars", 1, mostChars)),
		declare(read("getValue"), getValue),
		declare(read("isVisible"), isVisible),
		declare(read("isEnabled"), isEnabled),
		declare(read("isChecked"), isChecked),
	}
}

// readOne finds an element, passes the gate and reads. A selector means the match
// itself, not the control around it that a click would press.
func (r *run) readOne(ctx context.Context, t Target, do func(context.Context, *element) *Error) *Error {
	if !t.isSet() {
		return noTarget()
	}
	return r.withGate(ctx, gatedStep{look: r.readLooker(t), do: do})
}

func (r *run) readLooker(t Target) func(context.Context) (*element, safety.Act, *Error) {
	return func(ctx context.Context) (*element, safety.Act, *Error) {
		act := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: r.tab.MainURL()}}
		a, err := r.resolve(ctx, targetQuery{Target: t, exact: true})
		if err != nil {
			return nil, act, err
		}
		facts := a.facts
		act.Target = &facts
		return a, act, nil
	}
}

// readingAny is readOne that reads the whole page if no target is given: the frame is
// then the main one and id is 0.
func (r *run) readingAny(ctx context.Context, t Target, do func(ctx context.Context, f frame, id int) *Error) *Error {
	if t.isSet() {
		return r.readOne(ctx, t, func(ctx context.Context, a *element) *Error { return do(ctx, a.frame, a.id) })
	}
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	fs, err := r.frames(ctx)
	if err != nil {
		return err
	}
	return do(ctx, fs[0], 0)
}

func limitOf(given *int, usual int) int {
	if given == nil {
		return usual
	}
	return min(*given, mostChars)
}

// getText returns the visible text of an element, one block per line.
func getText(ctx context.Context, r *run, p GetTextParams) *Error {
	return r.readingAny(ctx, p.Target, func(ctx context.Context, f frame, id int) *Error {
		if f.PDF() {
			return r.pdfAsText(ctx, f, limitOf(p.MaxChars, defaultText))
		}
		got, err := page.ReadText(ctx, f, id, limitOf(p.MaxChars, defaultText))
		if err != nil {
			return wrap("read the text", err)
		}
		if got.Error != nil {
			return r.extractorErr(f, got.Error)
		}
		text := cleanLines(got.Text)
		r.res.Data = map[string]any{"text": text, "more": got.More}
		r.res.Text = "OK: text:\n" + text
		if text == "" {
			r.res.Text = "OK: there is no text to read."
		}
		r.res.Text += moreNote(got.More, "maxChars")
		return nil
	})
}

// pdfAsText is getText for a PDF document.
func (r *run) pdfAsText(ctx context.Context, f frame, limit int) *Error {
	d, bad := r.readPDF(ctx, f)
	if bad != nil {
		return bad
	}
	all, bad := pdfText(d, 0)
	if bad != nil {
		return bad
	}
	text := cleanLines(all)
	if text == "" {
		r.res.Data = map[string]any{"text": "", "more": false}
		r.res.Text = "OK: " + scannedPDF(d)
		return nil
	}
	runes := []rune(text)
	more := len(runes) > limit
	if more {
		text = string(runes[:limit])
	}
	r.res.Data = map[string]any{"text": text, "more": more}
	r.res.Text = "OK: text:\n" + text + moreNote(more, "maxChars")
	return nil
}

func moreNote(more bool, param string) string {
	if !more {
		return ""
	}
	return "\n… (cut; a larger " + param + " or a smaller part gives the rest)"
}

// cleanLines flattens text of the page line by line and masks card numbers.
func cleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		body := strings.TrimLeft(l, " ")
		lines[i] = l[:len(l)-len(body)] + pagecontext.Flatten(body)
	}
	return safety.Redact(strings.Trim(strings.Join(lines, "\n"), "\n"))
}

// getAttribute returns an attribute as the page wrote it.
func getAttribute(ctx context.Context, r *run, p GetAttributeParams) *Error {
	name := strings.TrimSpace(p.Name)
	if name == "" {
		return &Error{Code: InvalidParams, Message: "name is empty"}
	}
	*r.object = name
	return r.readOne(ctx, p.Target, func(ctx context.Context, a *element) *Error {
		got, err := page.ReadAttribute(ctx, a.frame, a.id, name)
		if err != nil {
			return wrap("read the attribute", err)
		}
		if got.Error != nil {
			return r.extractorErr(a.frame, got.Error)
		}
		if got.Value == nil {
			r.res.Data = map[string]any{"value": nil}
			r.res.Text = fmt.Sprintf("OK: %s has no attribute %s.", a.label(), name)
			return nil
		}
		v := safety.Redact(pagecontext.Flatten(*got.Value))
		r.res.Data = map[string]any{"value": v, "masked": got.Masked}
		r.res.Text = fmt.Sprintf("OK: %s of %s is %q.", name, a.label(), short(v, 2000))
		return nil
	})
}

// getHTML returns the markup of an element; secrets are masked, and invisible parts
// (scripts, comments) are left out.
func getHTML(ctx context.Context, r *run, p GetHTMLParams) *Error {
	return r.readingAny(ctx, p.Target, func(ctx context.Context, f frame, id int) *Error {
		got, err := page.ReadHTML(ctx, f, id, p.Inner != nil && *p.Inner, limitOf(p.MaxChars, defaultHTML))
		if err != nil {
			return wrap("read the HTML", err)
		}
		if got.Error != nil {
			return r.extractorErr(f, got.Error)
		}
		html := cleanLines(got.HTML)
		r.res.Data = map[string]any{"html": html, "more": got.More}
		r.res.Text = "OK: HTML:\n" + html + moreNote(got.More, "maxChars")
		return nil
	})
}

// getValue returns a field's value, but never a secret.
func getValue(ctx context.Context, r *run, p ElementParams) *Error {
	return r.readOne(ctx, p.Target, func(ctx context.Context, a *element) *Error {
		got, err := page.Value(ctx, a.frame, a.id)
		if err != nil {
			return wrap("read the value of "+a.String(), err)
		}
		if got.Secret != "" {
			r.res.Data = map[string]any{"value": "", "masked": true, "secret": got.Secret}
			r.res.Text = fmt.Sprintf("OK: %s holds a secret (%s), which is not shown.", a.label(), got.Secret)
			return nil
		}
		v := cleanLines(got.Value)
		r.res.Data = map[string]any{"value": v, "masked": false}
		r.res.Text = fmt.Sprintf("OK: the value of %s is %q.", a.label(), short(v, 4000))
		if got.Drawn {
			r.res.Text = fmt.Sprintf("OK: %s shows %q; lines out of view may be missing.", a.label(), short(v, 4000))
		}
		return nil
	})
}

// isVisible tells whether an element is rendered, whether it is in the viewport, and
// where. A selector without a match is not visible, and no error.
func isVisible(ctx context.Context, r *run, p ElementParams) *Error {
	var visible, in bool
	var box *pagecontext.Rect
	err := r.readOne(ctx, p.Target, func(ctx context.Context, a *element) *Error {
		st, err := r.stateOf(ctx, a)
		if err != nil {
			return err
		}
		x, y, shown := a.frame.Offset(ctx)
		visible = st.Visible && shown
		width, height, bad := r.screen(ctx)
		if bad != nil {
			return bad
		}
		from := toMain(a.frame, XY{x, y}, XY{st.Rect.X, st.Rect.Y})
		to := toMain(a.frame, XY{x, y}, XY{st.Rect.X + st.Rect.Width, st.Rect.Y + st.Rect.Height})
		box = &pagecontext.Rect{X: from.X, Y: from.Y, Width: to.X - from.X, Height: to.Y - from.Y}
		in = visible && st.InView && from.X < width && to.X > 0 && from.Y < height && to.Y > 0
		return nil
	})
	if err != nil && (err.Code != NotFound || p.Selector == "" || p.Ref != "" || p.Index != nil) {
		return err
	}
	data := map[string]any{"visible": visible, "inViewport": in}
	r.res.Text = fmt.Sprintf("OK: visible %t, in the viewport %t.", visible, in)
	if visible && box != nil {
		data["box"] = box
		r.res.Text = fmt.Sprintf("OK: visible true, in the viewport %t; its box is %.0f x %.0f at %.0f, %.0f of the viewport.", in, box.Width, box.Height, box.X, box.Y)
	}
	r.res.Data = data
	return nil
}

// isEnabled tells whether an element can be used.
func isEnabled(ctx context.Context, r *run, p ElementParams) *Error {
	return r.readOne(ctx, p.Target, func(ctx context.Context, a *element) *Error {
		st, err := r.stateOf(ctx, a)
		if err != nil {
			return err
		}
		r.res.Data = map[string]bool{"enabled": st.Enabled, "editable": st.Editable}
		r.res.Text = fmt.Sprintf("OK: %s is enabled: %t.", a.label(), st.Enabled)
		return nil
	})
}

// isChecked tells whether a box, radio button, switch or option is on.
func isChecked(ctx context.Context, r *run, p ElementParams) *Error {
	return r.readOne(ctx, p.Target, func(ctx context.Context, a *element) *Error {
		st, err := r.stateOf(ctx, a)
		if err != nil {
			return err
		}
		if st.Checked == "" {
			return &Error{Code: Unsupported, Message: a.String() + " is nothing that can be checked", Hint: "Choose a checkbox, radio button, switch or option."}
		}
		r.res.Data = map[string]bool{"checked": st.Checked == "true", "mixed": st.Checked == "mixed"}
		r.res.Text = fmt.Sprintf("OK: %s is checked: %s.", a.label(), st.Checked)
		return nil
	})
}

// fitLines puts as many lines under a head as the budget allows, and returns their
// number. It says how many were left out, and with how, how to get them.
func fitLines(head string, lines []string, budget int, how string) (text string, n int) {
	var b strings.Builder
	b.WriteString(head)
	used := pagecontext.Tokens(head)
	for i, l := range lines {
		if used += pagecontext.Tokens(l) + 1; used > budget {
			fmt.Fprintf(&b, "\n… and %d more (%s)", len(lines)-i, how)
			break
		}
		b.WriteString("\n" + l)
		n++
	}
	return b.String(), n
}
