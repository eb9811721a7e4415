package action

import (
	"context"
	"fmt"
	"strconv"

	"tabwright/host/action/page"
)

// segments returns the parts of a date or time field around a spin button that takes text,
// and what to type into each; none if it is no such field.
func (r *run) segments(ctx context.Context, a *element, text string) ([]page.Segment, *Error) {
	if a.el.Role != "spinbutton" || !a.facts.Editable || a.facts.Tag == "input" {
		return nil, nil
	}
	parts, err := page.Segments(ctx, a.frame, a.id, text)
	return parts, wrap("look for the parts of the date", err)
}

// typeSegments types a date or time into its parts, whatever their order, and checks what
// they show. The page moves the keyboard on by itself when a part is full.
func (r *run) typeSegments(ctx context.Context, w *effectRecorder, a *element, parts []page.Segment) *Error {
	more := w.more
	defer func() { w.more = more }()
	for i, s := range parts {
		w.more = more || i < len(parts)-1
		g, err := r.typeInto(ctx, w, elementOf(a.frame, s.Part), s.Text, false)
		if err != nil && (err.Code != StaleRef || g == nil || g.report.Arrived == 0) {
			return err
		}
	}
	for _, s := range parts {
		now, err := page.ReadStepper(ctx, a.frame, s.Part.ID)
		if err != nil {
			return wrap("read "+s.Part.Element.Name, err)
		}
		want, bad := strconv.ParseFloat(s.Text, 64)
		if bad == nil && now.Now != nil && *now.Now != want {
			return &Error{
				Code: InvalidParams, Message: fmt.Sprintf("%q shows %s after %s was typed", s.Part.Element.Name, now.String(), s.Text),
				Hint: "Look at the field. It may not take this date.", Data: map[string]string{"value": now.String()},
			}
		}
	}
	return nil
}
