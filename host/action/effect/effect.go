// Package effect says what an action changed, in words for a model. An Effect is gathered from
// the browser and from the frames while the page settles. The package itself never waits. It
// may import host/action/page, host/browser, pagecontext and safety. Start reading at Effect.
package effect

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// None is the effect, in words, of an act after which nothing had changed.
const None = "no visible effect"

// Effect is the visible effect of an act.
type Effect struct {
	Dialog    *browser.Dialog
	NewTabs   []browser.TabInfo
	Closed    []browser.TabInfo // tabs that came and went
	Downloads []browser.Download
	Files     []string // the page's requests for files, in words
	Launch    string   // address that the page wanted another program to open; it was stopped
	Drag      string   // how a drag ended, if one began
	Leaving   string   // where the tab is going; the server there has not answered
	Document  string   // what is shown, if it is no web page
	Status    int      // HTTP status of what is shown; 0 where no server answered
	Failed    string   // a navigation that failed
	URL       string   // where the main frame is now, if it navigated
	Within    bool     // … in the same document
	Anew      bool     // … in a new one at the same address
	Title     string
	Loading   bool
	Waiting   bool           // the page waits for a response to the act's requests
	Held      []browser.Held // requests that the page is about to send
	Detached  error
	Parts     []string       // changes in words
	Appeared  []string       // texts that came up
	Value     string         // of the target, if it changed
	Became    []string       // texts and values that are told as new ones of what was there before
	More      int            // changes that are left out
	Rest      Rest           // what they are, as far as that is known
	MoreNew   bool           // new elements are among the omitted changes
	Options   []string       // the options that came, as a field suggests them
	Changed   bool           // something was to be told
	Part      string         // the ref of the part with too many changes to tell
	Late      []string       // what changed before the act, since the last result
	Retitled  string         // that the page has another title
	Boxes     map[string]int // how many other boxes changed, by their new state
	News      []string       // what is new on a page that was loaded anew, in words
	Shows     string         // that it shows nothing new, in words
	Same      bool           // another address of the same document shows nothing new
}

// inFolder names the browser's download folder if the file's path is unknown: only
// the download action moves a file from there.
func inFolder(d browser.Download) string {
	if filepath.IsAbs(d.File) {
		return ""
	}
	return " (into the browser's own download folder)"
}

// Words returns the effect in one sentence, for a model.
func (e Effect) Words() string {
	var parts []string
	if e.Dialog != nil {
		parts = append(parts, fmt.Sprintf("%s opened%s (answer it with handleDialog)", DialogName(e.Dialog), DialogText(e.Dialog)))
	}
	parts = append(parts, e.News...)
	if e.URL != "" {
		text := "navigated to " + pagecontext.Cut(e.URL, 200)
		if e.Within {
			text = "address is now " + pagecontext.Cut(e.URL, 200)
		}
		if e.Title != "" {
			text += fmt.Sprintf(" (%s)", pagecontext.Cut(e.Title, 80))
		}
		if e.Anew {
			text += ", loaded anew"
		}
		if e.Status >= http.StatusBadRequest {
			text += fmt.Sprintf("; the server answered with %s", strings.TrimSpace(fmt.Sprint(e.Status, " ", http.StatusText(e.Status))))
		}
		if e.Loading {
			text += ", still loading"
		}
		if e.Document != "" {
			text += "; it is " + e.Document
		}
		parts = append(parts, text)
		if e.Shows != "" {
			parts = append(parts, e.Shows)
		}
	}
	if e.Leaving != "" && e.Dialog == nil {
		parts = append(parts, "the tab is going to "+pagecontext.Cut(e.Leaving, 200)+", and the server there has not answered yet: look again for what came of it, and do not do it twice")
	}
	parts = append(parts, e.Files...)
	if e.Launch != "" {
		parts = append(parts, "the page wanted another program to open "+pagecontext.Cut(e.Launch, 120)+", which was stopped: only the user may")
	}
	if e.Failed != "" {
		parts = append(parts, "the page at "+pagecontext.Cut(e.Failed, 200)+" could not be loaded")
	}
	for _, t := range e.NewTabs {
		text := "opened a new tab"
		if t.URL != "" {
			text += " at " + pagecontext.Cut(t.URL, 200)
		}
		parts = append(parts, text+" (switchTab goes there)")
	}
	for _, t := range e.Closed {
		parts = append(parts, "a new tab at "+pagecontext.Cut(t.URL, 200)+" opened and closed again by itself")
	}
	for _, d := range e.Downloads {
		name := d.File
		if name == "" {
			name = d.URL
		}
		switch d.State {
		case "complete":
			parts = append(parts, "downloaded "+pagecontext.Cut(name, 120)+inFolder(d))
		case "interrupted":
			parts = append(parts, "the download of "+pagecontext.Cut(d.URL, 120)+" failed")
		default:
			parts = append(parts, "download began: "+pagecontext.Cut(name, 120)+inFolder(d))
		}
	}
	if e.Detached != nil {
		parts = append(parts, "the tab went away")
	}
	parts = append(parts, e.Parts...)
	if e.Retitled != "" && e.URL == "" {
		parts = append(parts, e.Retitled)
	}
	if e.More > 0 {
		more := "and " + HowMany(e.More, "more change") + e.Rest.words(e.More)
		if e.MoreNew {
			more += " (getElements type=new lists what is new)"
		} else if e.More > shownChanges {
			more += " (extractContent reads the page)"
		}
		parts = append(parts, more)
	}
	if e.Waiting && e.URL == "" {
		parts = append(parts, "the page still waits for its server")
	}
	if len(parts) == 0 {
		return None
	}
	return strings.Join(parts, "; ")
}

// Forget drops the changes that frames told, before they are asked again.
func (e *Effect) Forget() {
	e.Parts, e.Appeared, e.Became, e.Late, e.Boxes = nil, nil, nil, nil, nil
	e.More, e.Rest, e.MoreNew, e.Options, e.Part, e.Retitled, e.Value = 0, nil, false, nil, "", "", ""
}

// HowMany returns a count with its noun, which is in the plural unless n is 1.
func HowMany(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "x") || strings.HasSuffix(what, "s") || strings.HasSuffix(what, "ch"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}
