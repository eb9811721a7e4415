package page

import (
	"context"
	"encoding/json"
	"time"

	"tabwright/pagecontext"
)

// Lines are the words of a page, a block a line.
type Lines struct {
	Lines []string `json:"lines"`
	Whole bool     `json:"whole"` // all of them
}

// ReadLines reads them.
func ReadLines(ctx context.Context, f Frame) (Lines, error) {
	return call[Lines](ctx, f, "pageLines", nil)
}

// Led is what led to a page: Again that its address is that of the one before, but for
// what is asked of it, Same that it is as a whole, Sent that a form was sent.
type Led struct {
	Again bool `json:"again"`
	Same  bool `json:"same"`
	Sent  bool `json:"sent"`
}

// News is what a page shows that the one before it did not.
type News struct {
	News []string `json:"news"`
	More int      `json:"more"`
	Gone []string `json:"gone"`
	Same bool     `json:"same"`
}

// ReadNews compares a page with what the one before it said.
func ReadNews(ctx context.Context, f Frame, before Lines, led Led) (News, error) {
	return call[News](ctx, f, "news", struct {
		Lines
		Led
	}{before, led})
}

// StoredBefore gives what the page kept in the browser before the act, and forgets it.
func StoredBefore(ctx context.Context, f Frame) (json.RawMessage, error) {
	return call[json.RawMessage](ctx, f, "restoreStorage", nil)
}

// Change is one thing that an act changed.
type Change struct {
	Kind string `json:"kind"`
	ID   int    `json:"id"`
	Role string `json:"role"`
	Name string `json:"name"`
	Text string `json:"text"` // what a control says that came without a name
	From string `json:"from"`
	To   string `json:"to"`
	// Row is what the row says that the element stands in, Within that it stands in
	// the item that was told before it.
	Row    string `json:"row"`
	Within bool   `json:"within"`
	// Near are the words beside a control without a name, Now what a control is that came.
	Near  string                  `json:"near"`
	Now   *pagecontext.RawElement `json:"now"`
	Rank  int                     `json:"rank"` // what is told first, from 1 on; 0 for all else
	Items Items                   `json:"items"`
	Hint  string                  `json:"hint"` // what a control shows that is called by a sign
	Held  int                     `json:"held"` // how many controls stood in a part that went
	// Outside says that it stands outside of the part that most changes are in.
	Outside bool `json:"outside"`
}

// Items are what a list has now, or what came to it.
type Items struct {
	Role  string                    `json:"role"`
	Names []string                  `json:"names"`
	Links []*pagecontext.RawElement `json:"links"` // what leads to each, if anything does
	Came  int                       `json:"came"`  // how many came to the list
}

// Effects are what an act changed in a frame.
type Effects struct {
	URL       string   `json:"url"`
	Focus     *Focused `json:"focus"`
	Changes   []Change `json:"changes"`
	Late      []Change `json:"late"`   // before the act, since the last result
	Launch    string   `json:"launch"` // an address that a script wanted another program to open
	More      int      `json:"more"`
	Mutations int      `json:"mutations"`
	Settled   bool     `json:"settled"`
	// Part is where many changes are.
	Part    *pagecontext.RawElement `json:"part"`
	Seen    int                     `json:"seen"`
	Undrawn bool                    `json:"undrawn"` // no frame came in its time: the tab is covered
}

// Focused is what has the keyboard.
type Focused struct {
	ID   int    `json:"id"`
	Tag  string `json:"tag"`
	Name string `json:"name"`
}

// EffectOptions say how long what comes of an act is waited for: Quiet is how long a page
// that goes on changing must stand still, First how long a first change is waited for,
// Max the most in all, Stays how long what comes of the mouse's staying is waited for.
type EffectOptions struct {
	Quiet int64 `json:"quietMs"`
	First int64 `json:"firstMs"`
	Max   int64 `json:"maxMs"`
	Stop  bool  `json:"stop"`
	Stays int64 `json:"staysMs"`
	Since bool  `json:"since,omitempty"` // where no act is watched: what changed since the last report
}

// WaitFor makes them of durations.
func WaitFor(quiet, first, most, stays time.Duration) EffectOptions {
	return EffectOptions{Quiet: quiet.Milliseconds(), First: first.Milliseconds(), Max: most.Milliseconds(), Stop: true, Stays: stays.Milliseconds()}
}

// ReadEffects waits for what comes of an act, and tells it.
func ReadEffects(ctx context.Context, f Frame, o EffectOptions) (Effects, error) {
	return call[Effects](ctx, f, "effects", o)
}

// WatchOptions say what an act is on, and whether what the page keeps in the browser is
// remembered.
type WatchOptions struct {
	ID   int  `json:"id,omitempty"`
	Keep bool `json:"keep,omitempty"`
}

// Watch begins to watch for effects; of the tab's own document it gives the words.
func Watch(ctx context.Context, f Frame, o WatchOptions) (*Lines, error) {
	got, err := call[struct {
		Page *Lines `json:"page"`
	}](ctx, f, "watch", o)
	return got.Page, err
}
