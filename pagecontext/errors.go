package pagecontext

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotFound says that an index was never given in this tab.
var ErrNotFound = errors.New("not_found")

// StaleError says that a ref no longer names what it named: its document is
// gone, its node is detached, or it became something else. The JSON names of
// the first four fields are part of what MCP and HTTP promise.
type StaleError struct {
	Ref             string      `json:"ref"`
	SnapshotPageRev int         `json:"snapshot_page_rev"`
	CurrentPageRev  int         `json:"current_page_rev"`
	URL             string      `json:"url"`
	Was             string      `json:"was"`          // button "Pay"
	In              string      `json:"in,omitempty"` // see RowOf
	Reason          string      `json:"reason"`       // a sentence
	Candidates      []Candidate `json:"candidates"`   // filled in after a new look (see Page.Candidates)
}

// Error names the stale ref, its element and the reason.
func (e *StaleError) Error() string {
	return fmt.Sprintf("stale_ref: %s was %s: %s", indexOf(e.Ref), Mention(e.Was, e.In, 0), e.Reason)
}

// indexOf is a ref as lists write it: [12].
func indexOf(ref string) string { return "[" + strings.TrimPrefix(ref, "e") + "]" }

// Code returns the error's code as actions report it.
func (e *StaleError) Code() string { return "stale_ref" }

// Candidate is an element that a stale ref may mean. Exact marks the one with
// the same role, name, container and place.
type Candidate struct {
	Element
	In    string `json:"in,omitempty"` // see RowOf
	Exact bool   `json:"exact"`
}

// Mention names the candidate as messages do: button "Pay" [12].
func (c Candidate) Mention() string {
	return Mention(Called(c.Role, c.Tag, c.Name), c.In, 0) + " " + indexOf(c.Ref)
}

// RangeError is a Query.Range that names no indices.
type RangeError struct{ Range string }

func (e *RangeError) Error() string {
	return quote(Cut(e.Range, 40)) + " is no range of indices like 31-80"
}

// PartError is a Query.Part that is no heading of the list, or one without elements.
type PartError struct{ Part string }

func (e *PartError) Error() string {
	return "nothing stands under the heading " + quote(Cut(e.Part, 80))
}

// CursorError is a Query.Cursor that continues no known listing.
type CursorError struct {
	Cursor string
	Left   bool // the tab has left the page of the listing
}

func (e *CursorError) Error() string {
	if e.Left {
		return quote(Cut(e.Cursor, 40)) + " is the cursor of a list of a page that the tab has left"
	}
	return quote(Cut(e.Cursor, 40)) + " is no cursor of a list of this tab that is still known"
}
