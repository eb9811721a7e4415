package direct

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	host "tabwright/host/browser"
)

// wire is a socket whose other end is the test.
type wire struct {
	in   chan []byte
	out  chan []byte
	once sync.Once
}

func newWire() *wire { return &wire{in: make(chan []byte, 64), out: make(chan []byte, 64)} }

func (w *wire) ReadMessage() (int, []byte, error) {
	b, ok := <-w.in
	if !ok {
		return 0, nil, io.EOF
	}
	return 1, b, nil
}

func (w *wire) WriteMessage(_ int, data []byte) error {
	w.out <- data
	return nil
}

func (w *wire) Close() error {
	w.once.Do(func() { close(w.in) })
	return nil
}

func TestConnSessions(t *testing.T) {
	w := newWire()
	c := newConn(w)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	w.in <- []byte(`{"method":"Target.attachedToTarget","params":{"sessionId":"S","targetInfo":{"type":"page"}}}`)
	w.in <- []byte(`{"sessionId":"S","method":"Target.attachedToTarget","params":{"sessionId":"C"}}`)
	go func() { // answers what is asked, with events around it
		for data := range w.out {
			var r request
			if jsonv2.Unmarshal(data, &r) != nil {
				return
			}
			w.in <- []byte(`{"sessionId":"unknown","method":"X.y","params":{}}`)
			switch r.Method {
			case "A.fails":
				w.in <- fmt.Appendf(nil, `{"id":%d,"sessionId":%q,"error":{"code":-1,"message":"no","data":"why"}}`, r.ID, r.SessionID)
			case "A.hangs":
			default:
				w.in <- fmt.Appendf(nil, `{"id":%d,"sessionId":%q,"result":{"of":%q}}`, r.ID, r.SessionID, r.SessionID)
			}
			w.in <- []byte(`{"id":999999,"result":{}}`)
		}
	}()
	var of struct {
		Of string `json:"of"`
	}
	if err := c.browser.Call(ctx, "A.b", nil, &of); err != nil || of.Of != "" {
		t.Errorf("browser: %v %v", of, err)
	}
	root := c.root("S")
	if root == nil {
		t.Fatal("no session S")
	}
	if err := root.Call(ctx, "A.b", map[string]int{"x": 1}, &of); err != nil || of.Of != "S" {
		t.Errorf("tab: %v %v", of, err)
	}
	child := root.Child("C")
	if err := child.Call(ctx, "A.b", nil, &of); err != nil || of.Of != "C" {
		t.Errorf("frame: %v %v", of, err)
	}
	var ce *host.CDPError
	if err := root.Call(ctx, "A.fails", nil, nil); !errors.As(err, &ce) || ce.Code != -1 || ce.Message != "no (why)" {
		t.Errorf("failure: %v", err)
	}
	hangs := make(chan error, 1)
	go func() { hangs <- child.Call(ctx, "A.hangs", nil, nil) }()
	if err := root.Call(ctx, "A.b", nil, nil); err != nil {
		t.Error(err)
	}
	w.in <- []byte(`{"sessionId":"S","method":"Target.detachedFromTarget","params":{"sessionId":"C"}}`)
	if err := <-hangs; !errors.Is(err, host.ErrDocumentGone) {
		t.Errorf("a call in a frame that went: %v", err)
	}
	w.in <- []byte(`{"method":"Target.detachedFromTarget","params":{"sessionId":"S"}}`)
	<-root.Done()
	if !errors.Is(root.Err(), host.ErrNoTab) {
		t.Errorf("closed tab: %v", root.Err())
	}
	go func() { hangs <- c.browser.Call(ctx, "A.hangs", nil, nil) }()
	if err := c.close(); err != nil {
		t.Error(err)
	}
	if err := <-hangs; !errors.Is(err, host.ErrGone) {
		t.Errorf("a call on a lost connection: %v", err)
	}
	close(w.out)
}

// Whatever arrives, the reader ends in order or goes on.
func FuzzConnRead(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{}}`))
	f.Add([]byte(`{"method":"Target.attachedToTarget","params":{"sessionId":"S"}}`))
	f.Add([]byte(`{"sessionId":"S","method":"Target.detachedFromTarget","params":{"sessionId":"S"}}`))
	f.Add([]byte(`{"id":-1}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(_ *testing.T, data []byte) {
		w := newWire()
		c := newConn(w)
		w.in <- []byte(`{"method":"Target.attachedToTarget","params":{"sessionId":"S"}}`)
		w.in <- data
		w.in <- data
		_ = w.Close()
		<-c.done
	})
}
