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
	in, out chan []byte
	quit    chan struct{}
	once    sync.Once
}

func newWire() *wire {
	return &wire{in: make(chan []byte, 64), out: make(chan []byte, 64), quit: make(chan struct{})}
}

func (w *wire) ReadMessage() (int, []byte, error) {
	select { // what was sent before the end is read
	case b := <-w.in:
		return 1, b, nil
	default:
	}
	select {
	case b := <-w.in:
		return 1, b, nil
	case <-w.quit:
		return 0, nil, io.EOF
	}
}

func (w *wire) WriteMessage(_ int, data []byte) error {
	select {
	case w.out <- data:
		return nil
	case <-w.quit:
		return io.ErrClosedPipe
	}
}

func (w *wire) Close() error {
	w.once.Do(func() { close(w.quit) })
	return nil
}

// send is the other end's; after the end it goes nowhere.
func (w *wire) send(data []byte) {
	select {
	case w.in <- data:
	case <-w.quit:
	}
}

func TestConnSessions(t *testing.T) {
	w := newWire()
	c := newConn(w)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	w.send([]byte(`{"method":"Target.attachedToTarget","params":{"sessionId":"S","targetInfo":{"type":"page"}}}`))
	w.send([]byte(`{"sessionId":"S","method":"Target.attachedToTarget","params":{"sessionId":"C"}}`))
	var answering sync.WaitGroup
	answering.Go(func() { // answers what is asked, with events around it
		for {
			var data []byte
			select {
			case data = <-w.out:
			case <-w.quit:
				return
			}
			var r request
			if jsonv2.Unmarshal(data, &r) != nil {
				return
			}
			w.send([]byte(`{"sessionId":"unknown","method":"X.y","params":{}}`))
			switch r.Method {
			case "A.fails":
				w.send(fmt.Appendf(nil, `{"id":%d,"sessionId":%q,"error":{"code":-1,"message":"no","data":"why"}}`, r.ID, r.SessionID))
			case "A.hangs":
			default:
				w.send(fmt.Appendf(nil, `{"id":%d,"sessionId":%q,"result":{"of":%q}}`, r.ID, r.SessionID, r.SessionID))
			}
			w.send([]byte(`{"id":999999,"result":{}}`))
		}
	})
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
	w.send([]byte(`{"sessionId":"S","method":"Target.detachedFromTarget","params":{"sessionId":"C"}}`))
	if err := <-hangs; !errors.Is(err, host.ErrDocumentGone) {
		t.Errorf("a call in a frame that went: %v", err)
	}
	w.send([]byte(`{"method":"Target.detachedFromTarget","params":{"sessionId":"S"}}`))
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
	answering.Wait()
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
		w.send([]byte(`{"method":"Target.attachedToTarget","params":{"sessionId":"S"}}`))
		w.send(data)
		w.send(data)
		_ = w.Close()
		<-c.done
	})
}
