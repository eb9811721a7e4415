package page

import (
	"context"
	"encoding/json"
	"time"

	"tabwright/pagecontext"
)

// Lines are the text of a page, one block per line.
type Lines struct {
	Lines  []string `json:"lines"`
	Whole  bool     `json:"whole"`  // all of them
	Unseen []string `json:"unseen"` // the texts of notices that may still fade or slide in
}

// ReadLines reads the lines of a page.
func ReadLines(ctx context.Context, f Frame) (Lines, error) {
	return call[Lines](ctx, f, "pageLines", nil)
}

// Led is how a page was reached: Again says that its address is the previous one except for
// query and fragment, Same that it is fully the same, Sent that a form was sent.
type Led struct {
	Again bool `json:"again"`
	Same  bool `json:"same"`
	Sent  bool `json:"sent"`
}

// News is the difference between a page's lines and those of the page before.
type News struct {
	News     []string `json:"news"`
	More     int      `json:"more"`
	Gone     []string `json:"gone"`
	MoreGone int      `json:"moreGone"`
	Same     bool     `json:"same"`
}

// ReadNews compares a page with the lines of the page before.
func ReadNews(ctx context.Context, f Frame, before Lines, led Led) (News, error) {
	return call[News](ctx, f, "news", struct {
		Lines
		Led
	}{before, led})
}

// StoredBefore returns the page's storage in the browser before the act, and forgets it.
func StoredBefore(ctx context.Context, f Frame) (json.RawMessage, error) {
	return call[json.RawMessage](ctx, f, "restoreStorage", nil)
}

// Change is one change by an act.
type Change struct {
	Kind string `json:"kind"`
	ID   int    `json:"id"`
	Role string `json:"role"`
	Name string `json:"name"`
	Text string `json:"text"` // the text of a new control without a name
	From string `json:"from"`
	To   string `json:"to"`
	// Row is the text of the row around the element; Within says that it is inside
	// the item that was told before it.
	Row    string `json:"row"`
	Within bool   `json:"within"`
	// Near are the words beside a control without a name, Now is the state of a new control.
	Near  string                  `json:"near"`
	Now   *pagecontext.RawElement `json:"now"`
	Rank  int                     `json:"rank"` // order of telling, from 1 on; 0 for no rank
	Items Items                   `json:"items"`
	Hint  string                  `json:"hint"` // the hint of a control whose name is a sign
	Held  int                     `json:"held"` // how many controls were in a removed part
	// Outside says that it is outside of the part that most changes are in.
	Outside bool `json:"outside"`
	// Was is the id that an element had before it was drawn anew for something else.
	Was int `json:"was"`
}

// Items are the items of a list now, or the new ones.
type Items struct {
	Role  string                    `json:"role"`
	Names []string                  `json:"names"`
	Links []*pagecontext.RawElement `json:"links"` // the link of each, if it has one
	Came  int                       `json:"came"`  // how many are new in the list
}

// Effects are the changes by an act in a frame.
type Effects struct {
	URL       string   `json:"url"`
	Focus     *Focused `json:"focus"`
	Changes   []Change `json:"changes"`
	Late      []Change `json:"late"`   // before the act, since the last result
	Launch    string   `json:"launch"` // an address that a script wanted another program to open
	Drag      string   `json:"drag"`   // how a drag ended, if one began
	More      int      `json:"more"`
	Rest      []Rest   `json:"rest"` // what More counts, as far as it was compared
	Mutations int      `json:"mutations"`
	Settled   bool     `json:"settled"`
	// Part is where many changes are.
	Part    *pagecontext.RawElement `json:"part"`
	Seen    int                     `json:"seen"`
	Undrawn bool                    `json:"undrawn"` // no frame was drawn in time: the tab is covered
}

// Rest counts changes of a kind that are left out; From and To say which of the two these have.
type Rest struct {
	Kind  string `json:"kind"`
	Role  string `json:"role"`
	From  bool   `json:"from"`
	To    bool   `json:"to"`
	Count int    `json:"count"`
}

// Focused is the element with the keyboard focus.
type Focused struct {
	ID   int    `json:"id"`
	Tag  string `json:"tag"`
	Name string `json:"name"`
}

// EffectOptions say how long to wait for effects of an act: Quiet is how long a changing
// page must be quiet, First the wait for a first change, Max the longest wait in all, Stays
// the wait for effects of the mouse's staying.
type EffectOptions struct {
	Quiet int64 `json:"quietMs"`
	First int64 `json:"firstMs"`
	Max   int64 `json:"maxMs"`
	Stop  bool  `json:"stop"`
	Stays int64 `json:"staysMs"`
	Since bool  `json:"since,omitempty"` // without a watched act: the changes since the last report
}

// WaitFor returns EffectOptions with these durations.
func WaitFor(quiet, first, most, stays time.Duration) EffectOptions {
	return EffectOptions{Quiet: quiet.Milliseconds(), First: first.Milliseconds(), Max: most.Milliseconds(), Stop: true, Stays: stays.Milliseconds()}
}

// ReadEffects waits for the effects of an act, and returns them.
func ReadEffects(ctx context.Context, f Frame, o EffectOptions) (Effects, error) {
	return call[Effects](ctx, f, "effects", o)
}

// WatchOptions name the target of an act; Keep says whether the page's storage in the
// browser is remembered.
type WatchOptions struct {
	ID   int  `json:"id,omitempty"`
	Keep bool `json:"keep,omitempty"`
}

// Watch starts watching for effects; for the tab's own document it returns the lines.
func Watch(ctx context.Context, f Frame, o WatchOptions) (*Lines, error) {
	return one[*Lines](ctx, f, "watch", o, "page")
}
