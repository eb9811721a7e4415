package browser

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// DevTools reports what a page writes to a WebSocket, but can't hold it. So while requests
// are held, a script in the page holds what is written, and asks the host.
//
//go:embed messages.js
var messagesScript string

// MessageType is the Type of a Held that is a message of a WebSocket.
const MessageType = "WebSocket"

// messageHold holds the messages of a document and of those frames in it that it may reach.
type messageHold struct {
	messageWorld
	tab     *Tab
	session string
	object  runtime.RemoteObjectID // what messagesScript returned
	began   time.Time
}

// messageWorld is where the script of a hold runs: in a session's own document, or in a frame in the
// same process that this can't reach, as it has another origin.
type messageWorld struct {
	cdp     cdp.Session
	context runtime.ExecutionContextID // 0: the session's own document
}

// leastHeld is the least time between two holds of a session whose documents go: a page may load others
// again and again.
const leastHeld = 100 * time.Millisecond

// holdWrites holds what a session's documents send, or ends that. A page that can't run the
// script now, as a dialog is open, sends its messages without a judgement.
func (t *Tab) holdWrites(ctx context.Context, s cdp.Session, on bool) error {
	told := make(chan struct{})
	go func() {
		defer close(told)
		t.holdMessages(ctx, s, on)
	}()
	err := catchRequests(ctx, s, on)
	<-told
	return err
}

// holdMessages begins or ends the holds of the messages of a session's documents. It does not end them
// while a dialog stands: what the page sends when that is answered is judged by the act that answers.
func (t *Tab) holdMessages(ctx context.Context, s cdp.Session, on bool) {
	t.messageLock.Lock()
	defer t.messageLock.Unlock()
	var ends, begins []*messageHold
	t.mu.Lock()
	on = on && t.wide.is()
	switch {
	case t.dialog != nil:
	case on:
		begins = t.newMessageHolds(s)
	default:
		for at, h := range t.messages {
			if at.cdp == s {
				ends = append(ends, h)
				delete(t.messages, at)
			}
		}
	}
	t.mu.Unlock()
	var all sync.WaitGroup
	for _, h := range ends {
		all.Go(func() { h.end(ctx) })
	}
	for _, h := range begins {
		all.Go(func() { h.begin(ctx) })
	}
	all.Wait()
}

// newMessageHolds returns a hold for each of a session's documents that has none and that no other
// one's script reaches; t.mu is held.
func (t *Tab) newMessageHolds(s cdp.Session) []*messageHold {
	id := ""
	for k, x := range t.sessions {
		if x.cdp == s {
			id = k
		}
	}
	origins := map[cdp.FrameID]string{}
	for k, c := range t.contexts {
		if k.session == id && !c.isolated && c.frame != "" {
			origins[c.frame] = c.origin
		}
	}
	worlds := []messageWorld{{cdp: s}}
	for k, c := range t.contexts {
		f := t.frames[c.frame]
		if k.session != id || c.isolated || f == nil {
			continue
		}
		// A sandboxed frame has an origin that no other document has.
		if over, ok := origins[f.parent]; ok && (over != c.origin || !strings.HasPrefix(over, "http")) {
			worlds = append(worlds, messageWorld{s, c.id})
		}
	}
	var out []*messageHold
	for _, w := range worlds {
		if t.messages[w] == nil {
			out = append(out, &messageHold{messageWorld: w, tab: t, session: id, began: time.Now()})
		}
	}
	return out
}

// begin has the script hold what its document sends, and answers it from then on. It does nothing if the
// page is gone, or waits for an answer to a dialog.
func (h *messageHold) begin(ctx context.Context) {
	t := h.tab
	made := make(chan runtime.RemoteObjectID, 1) // race may end before its call
	err := t.race(ctx, func(ctx context.Context) error {
		yes := true
		got, err := cdp.Call(ctx, h.cdp, runtime.Evaluate, runtime.EvaluateParams{
			Expression: messagesScript, ContextID: h.context, Silent: &yes, ObjectGroup: "tabwright-messages",
		})
		if err != nil || got.Result == nil || ctx.Err() != nil {
			return cmp.Or(err, ctx.Err(), ErrDocumentGone)
		}
		made <- got.Result.ObjectID
		begun := messageHold{messageWorld: h.messageWorld, object: got.Result.ObjectID}
		_, err = begun.call(ctx, "function () { this.begin(); }", 0, nil, nil)
		return err
	})
	select {
	case h.object = <-made:
	default:
	}
	if err != nil {
		if h.object != "" {
			go h.end(WithCallTimeout(context.Background(), refuseTime)) // it may have begun
		}
		return
	}
	t.mu.Lock()
	if t.messages == nil {
		t.messages = map[messageWorld]*messageHold{}
	}
	t.messages[h.messageWorld] = h
	t.mu.Unlock()
	go h.listen()
}

// end ends the hold in the page. It ignores errors: a document that is gone holds nothing.
func (h *messageHold) end(ctx context.Context) {
	_, _ = h.call(ctx, "function () { this.end(); }", 0, nil, nil)
}

// call calls a function of the script. Empty lists arrive as undefined.
func (h *messageHold) call(ctx context.Context, fn string, last int, sent, stopped []int) ([]byte, error) {
	args, err := callArguments(last, sent, stopped)
	if err != nil {
		return nil, err
	}
	yes := true
	res, err := cdp.Call(ctx, h.cdp, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: fn, ObjectID: h.object, Arguments: args, AwaitPromise: &yes, ReturnByValue: &yes, Silent: &yes,
	})
	switch {
	case err != nil:
		return nil, err
	case res.ExceptionDetails != nil:
		return nil, jsError(res.ExceptionDetails)
	case res.Result == nil:
		return nil, nil
	}
	return res.Result.Value, nil
}

// message is what the script tells of one.
type message struct {
	N    int    `json:"n"`
	URL  string `json:"url"`
	Text string `json:"text"`
}

// listen answers the script until its document is gone or the hold ends.
func (h *messageHold) listen() {
	var sent, stopped []int
	last := 0
	for {
		raw, err := h.call(context.Background(), "function (last, sent, stopped) { return this.next(last, sent, stopped); }", last, sent, stopped)
		if errors.Is(err, ErrTimeout) && h.lasts() {
			continue // nothing was written meanwhile
		}
		var text string
		var came []message
		if err != nil || json.Unmarshal(raw, &text) != nil || text == "null" || json.Unmarshal([]byte(text), &came) != nil {
			break
		}
		sent, stopped = nil, nil
		for _, m := range came {
			last = m.N
			switch held, stays := h.judge(m); {
			case stays:
				stopped = append(stopped, m.N)
			case !held:
				sent = append(sent, m.N)
			}
		}
	}
	h.lose()
}

// lasts reports whether the hold has not ended.
func (h *messageHold) lasts() bool {
	t := h.tab
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.messages[h.messageWorld] == h && t.root.Err() == nil
}

// lose forgets a hold whose document is gone, and begins one in the next document if
// requests are still held.
func (h *messageHold) lose() {
	t := h.tab
	ctx := WithCallTimeout(context.Background(), refuseTime)
	h.end(ctx) // the document may be there all the same
	t.mu.Lock()
	mine := t.messages[h.messageWorld] == h
	if mine {
		delete(t.messages, h.messageWorld)
		if t.wide.on != nil {
			t.wide.on[h.cdp] = false
		}
	}
	t.mu.Unlock()
	if !mine || t.root.Err() != nil {
		return
	}
	select {
	case <-time.After(leastHeld - time.Since(h.began)):
		t.holdMessages(ctx, h.cdp, true)
	case <-t.root.Done():
	}
}

// judge gives a message to a watch that wants it held. stays says that the quarantine stops it.
func (h *messageHold) judge(m message) (held, stays bool) {
	t := h.tab
	t.mu.Lock()
	t.messageCount++
	x := Held{ID: "message " + strconv.Itoa(t.messageCount), Method: "SEND", URL: m.URL, Type: MessageType, Body: m.Text, session: h.session, hold: h, n: m.N}
	stays = t.quarantine.left > 0 && h.began.Before(t.quarantine.began)
	t.mu.Unlock()
	return !stays && t.isAsked(x), stays
}

// answer lets a message leave, or drops it.
func (h *messageHold) answer(ctx context.Context, n int, let bool) error {
	sent := []int{n}
	var stopped []int
	if !let {
		sent, stopped = nil, sent
	}
	_, err := h.call(ctx, "function (last, sent, stopped) { this.answer(sent, stopped); }", 0, sent, stopped)
	return err
}
