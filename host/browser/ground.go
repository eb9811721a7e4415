package browser

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
)

// A navigation of ours is judged by its address before it begins. Where
// redirects, links and scripts lead is judged here, for documents of all frames:
// each URL before its request is sent (Fetch.requestPaused), and then the IP
// address that Chrome connected to before anything of the answer is read
// (Network.responseReceived), since a public name may resolve to a machine of
// the local network. By then the request has been sent.

// Ground returns why a document may not be opened, or nil. ip is empty before
// the request is sent.
type Ground func(address, ip string) error

// Refusal is the error for a document that Ground refused.
type Refusal struct {
	URL string
	IP  string // the address it was served from; empty if it was never asked for
	Err error  // what Ground said
}

// Error returns the address and the reason.
func (r *Refusal) Error() string { return r.URL + ": " + r.Err.Error() }

// Unwrap returns ErrRefused and the error of Ground.
func (r *Refusal) Unwrap() []error { return []error{ErrRefused, r.Err} }

// ErrRefused is the error for a document that Ground refused: nothing of it is
// read.
var ErrRefused = errors.New("the document may not be opened")

// maxRefused bounds how many refused documents of a tab are remembered.
const maxRefused = 256

// refuseTime bounds the commands that stop a document and blank it.
const refuseTime = 5 * time.Second

// SetGround has g judge every document from now on.
func (t *Tab) SetGround(g Ground) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ground = g
}

// Refused returns the refusal of the main frame's last document, until the tab
// navigates elsewhere, or nil.
func (t *Tab) Refused() *Refusal {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.refusal
}

// clearRefusal forgets the last refusal, before a new navigation.
func (t *Tab) clearRefusal() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refusal = nil
}

// refusedIn reports whether a document was refused; t.mu is held.
func (t *Tab) refusedIn(l cdp.LoaderID) bool { return l != "" && t.refused[l] }

// watchDocuments enables the domains Network and Fetch in a session. With anew
// the session had them before, over a connection that was lost.
func (t *Tab) watchDocuments(ctx context.Context, s *sessionState, anew bool) error {
	// Bodies of answers are never asked for, so Chrome need not keep them.
	err := s.cdp.Call(ctx, "Network.enable", map[string]int{"maxTotalBufferSize": 1, "maxResourceBufferSize": 1}, nil)
	if err != nil {
		return err
	}
	if anew {
		// Requests that were paused while the connection was lost go on.
		if err := s.cdp.Call(ctx, "Fetch.disable", cdp.Empty{}, nil); err != nil {
			return err
		}
	}
	for {
		scripts := t.isHolding()
		if err := catchRequests(ctx, s.cdp, scripts); err != nil {
			return err
		}
		t.mu.Lock()
		same := t.wide.is() == scripts // else it changed meanwhile, without this session
		if same && scripts {
			t.wide.on[s.cdp] = true
			go t.holdMessages(WithCallTimeout(context.Background(), refuseTime), s.cdp, true)
		}
		t.mu.Unlock()
		if same {
			return nil
		}
	}
}

// paused has the fields of Fetch.requestPaused that are used here.
type paused struct {
	ID      string      `json:"requestId"`
	Network string      `json:"networkId"` // requestId of Network's events
	Frame   cdp.FrameID `json:"frameId"`
	Type    string      `json:"resourceType"`
	Request struct {
		URL      string            `json:"url"`
		Fragment string            `json:"urlFragment"`
		Method   string            `json:"method"`
		Headers  map[string]string `json:"headers"`
		Post     string            `json:"postData"`
		Entries  []struct {
			Bytes string `json:"bytes"` // in base64
		} `json:"postDataEntries"`
	} `json:"request"`
}

// answered has the fields of Network.responseReceived that are used here.
type answered struct {
	ID       string       `json:"requestId"`
	Loader   cdp.LoaderID `json:"loaderId"`
	Frame    cdp.FrameID  `json:"frameId"`
	Type     string       `json:"type"`
	Response struct {
		URL    string `json:"url"`
		IP     string `json:"remoteIPAddress"`
		Port   int    `json:"remotePort"`
		Status int    `json:"status"`
	} `json:"response"`
}

// judgeDocument judges the documents of paused requests and answers. onEvent
// calls it before it takes t.mu, since Ground takes locks of its own, under
// which others ask tabs.
func (t *Tab) judgeDocument(e Event) {
	switch e.Method {
	case "Fetch.requestPaused":
		var p paused
		if jsonv2.Unmarshal(e.Params, &p, jsonv2.AllowInvalidUTF8(true)) == nil {
			t.requestPaused(e.SessionID, p)
		}
	case "Network.responseReceived":
		var p answered
		if jsonv2.Unmarshal(e.Params, &p, jsonv2.AllowInvalidUTF8(true)) == nil && p.Type == "Document" {
			t.documentAnswered(e.SessionID, p)
		}
	}
}

// judgement returns the session of an event and the error of Ground. ok is false
// if the session is gone.
func (t *Tab) judgement(session, address, ip string) (s cdp.Session, bad error, ok bool) { //nolint:revive // bad is a finding, not a failure of this function
	t.mu.Lock()
	g, in := t.ground, t.sessions[session]
	t.mu.Unlock()
	if in == nil {
		return nil, nil, false
	}
	if g != nil {
		bad = g(address, ip)
	}
	return in.cdp, bad, true
}

// requestPaused fails the request for a document that may not be opened or that
// the quarantine stops, holds one that a watch wants held, and continues any
// other.
func (t *Tab) requestPaused(session string, p paused) {
	s, bad, ok := t.judgement(session, p.Request.URL, "")
	if !ok {
		return // Chrome continues paused requests when their session ends
	}
	if p.Type != "" && p.Type != "Document" {
		bad = nil
	}
	stays := t.keepsBack(p)
	if stays {
		t.forgetSent(p.Network)
	}
	if bad != nil {
		t.refuse(p.Frame, "", &Refusal{URL: p.Request.URL, Err: bad})
	} else if !stays && t.holds(session, p) {
		return
	}
	go func() { // onEvent must not call
		ctx, cancel := context.WithTimeout(context.Background(), refuseTime)
		defer cancel()
		reason := ""
		switch {
		case bad != nil:
			reason = reasonBlocked
		case stays:
			reason = reasonAborted
		}
		_ = letGo(ctx, s, p.ID, reason) // it may have been cancelled
	}()
}

// documentAnswered judges the IP address that a document came from. A refused
// document is replaced by an empty page.
func (t *Tab) documentAnswered(session string, p answered) {
	t.noteStatus(p)
	if p.Response.IP == "" || viaProxy(p.Response.URL, p.Response.Port) {
		return // from a cache, made by a script, or through a proxy
	}
	s, bad, ok := t.judgement(session, p.Response.URL, p.Response.IP)
	if !ok || bad == nil {
		return
	}
	t.refuse(p.Frame, p.Loader, &Refusal{URL: p.Response.URL, IP: p.Response.IP, Err: bad})
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), refuseTime)
		defer cancel()
		_, _ = cdp.Call(ctx, s, page.Navigate, page.NavigateParams{URL: "about:blank", FrameID: p.Frame}) // nothing is read of it in any case
	}()
}

// noteStatus keeps the HTTP status of the main frame's newest document, whose
// answer comes before the document is shown.
func (t *Tab) noteStatus(p answered) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p.Frame == t.main {
		t.status, t.statusOf = p.Response.Status, p.Loader
	}
}

// refuse notes a refused document.
func (t *Tab) refuse(frame cdp.FrameID, loader cdp.LoaderID, r *Refusal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if loader != "" {
		if len(t.refused) >= maxRefused {
			clear(t.refused) // long blanked
		}
		t.refused[loader] = true
	}
	if frame == t.main {
		t.refusal = r
	}
	t.bump()
}

// viaProxy reports whether an answer came through a proxy, whose address Chrome
// then reports. A direct connection goes to the port of the URL, and one to a
// proxy to another.
func viaProxy(address string, port int) bool {
	u, err := url.Parse(address)
	if err != nil || port == 0 {
		return false
	}
	want := u.Port()
	if want == "" {
		want = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return want != strconv.Itoa(port)
}
