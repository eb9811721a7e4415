package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"strconv"
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
	tab     *Tab
	session string
	cdp     cdp.Session
	object  runtime.RemoteObjectID // what messagesScript returned
	began   time.Time
}

// leastHeld is how old a hold must be to be begun anew when its document is gone.
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

// holdMessages begins or ends the hold of the messages of a session's document.
func (t *Tab) holdMessages(ctx context.Context, s cdp.Session, on bool) {
	t.mu.Lock()
	was := t.messages[s]
	if !on {
		delete(t.messages, s)
	}
	session := ""
	for id, x := range t.sessions {
		if x.cdp == s {
			session = id
		}
	}
	t.mu.Unlock()
	if on == (was != nil) {
		if !on {
			return
		}
		return
	}
	if !on {
		_, _ = was.call(ctx, "function () { this.end(); }", 0, nil, nil) // a document that is gone holds nothing
		return
	}
	h := &messageHold{tab: t, session: session, cdp: s, began: time.Now()}
	err := t.race(ctx, func(ctx context.Context) error {
		yes := true
		got, err := cdp.Call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: messagesScript, Silent: &yes, ObjectGroup: "tabwright-messages"})
		if err == nil && got.Result != nil {
			h.object = got.Result.ObjectID
		}
		return err
	})
	if err != nil || h.object == "" {
		return // the page is gone, or waits for an answer to a dialog
	}
	t.mu.Lock()
	if t.messages == nil {
		t.messages = map[cdp.Session]*messageHold{}
	}
	t.messages[s] = h
	t.mu.Unlock()
	go h.listen()
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
	return t.messages[h.cdp] == h && t.root.Err() == nil
}

// lose forgets a hold whose document is gone, and begins one in the next document if
// requests are still held.
func (h *messageHold) lose() {
	t := h.tab
	t.mu.Lock()
	mine := t.messages[h.cdp] == h
	if mine {
		delete(t.messages, h.cdp)
		if t.wide.on != nil {
			t.wide.on[h.cdp] = false
		}
	}
	again := mine && t.wide.is() && t.root.Err() == nil && time.Since(h.began) > leastHeld
	t.mu.Unlock()
	if again {
		t.holdMessages(WithCallTimeout(context.Background(), refuseTime), h.cdp, true)
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
