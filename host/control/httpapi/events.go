package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"tabwright/host/native/wire"
)

const (
	// pingEvery is how often a stream sends a comment, so that both sides notice a lost
	// connection.
	pingEvery = 15 * time.Second
	// writeTime is how long a reader may take for one event.
	writeTime = 20 * time.Second
)

func (s *Server) sessionEvents(w http.ResponseWriter, r *http.Request) error {
	i, err := s.session(r)
	if err != nil {
		return err
	}
	return s.stream(w, r, i.Task)
}

func (s *Server) taskEvents(w http.ResponseWriter, r *http.Request) error {
	return s.stream(w, r, r.PathValue("task"))
}

func (s *Server) allEvents(w http.ResponseWriter, r *http.Request) error { return s.stream(w, r, "") }

// stream sends the events of a task, or of all tasks, as server-sent events: first
// those after the number that the reader has, then new ones. It ends with the task.
// A reader that has all events of an ended task gets 204, which tells an EventSource
// not to reconnect.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, task string) error {
	after, err := lastSeen(r)
	if err != nil {
		return err
	}
	deltas, err := flagOf(r, "deltas")
	if err != nil {
		return err
	}
	if t, err := s.task(r.Context(), task); task != "" && err == nil && hasEnded(t.State) && after >= t.Seq {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return &wire.Error{Code: CodeTooMany, Message: "Too many streams of events at once.", Hint: "Close one of them."}
	}
	dial, cancel := context.WithTimeout(r.Context(), dialTime)
	defer cancel()
	b, err := s.o.Dial(dial) // its own connection, which can have only one stream
	if err != nil {
		return &wire.Error{Code: CodeNoBroker, Message: "Tabwright's broker can't be reached: " + err.Error(), Hint: "`tabwright doctor` says why."}
	}
	defer b.Close()
	out := &sse{w: w, c: http.NewResponseController(w), global: task == "", deltas: deltas, turn: make(chan struct{}, 1), end: make(chan struct{}), done: make(chan struct{})}
	err = b.Stream(r.Context(), wire.SubscribeParams{Task: task, Seq: after}, out)
	if !out.begun {
		return err // such as no_task
	}
	out.stop()
	return nil // the reader reconnects with the last number it has
}

// hasEnded reports whether a task has ended and can't be resumed.
func hasEnded(s wire.TaskState) bool {
	return s == wire.TaskDone || s == wire.TaskFailed || s == wire.TaskCancelled
}

// lastSeen returns the number of the last event that the reader has, from
// Last-Event-ID or, on the first request, from ?after=.
func lastSeen(r *http.Request) (uint64, error) {
	v := r.Header.Get("Last-Event-ID")
	if v == "" {
		v = r.URL.Query().Get("after")
	}
	if v == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		return 0, &wire.Error{Code: wire.CodeInvalidParams, Message: "Last-Event-ID is the number of an event.", Hint: "Send the id of the last one you have, or leave it out."}
	}
	return n, nil
}

// sse writes events to one reader. The stream's goroutine writes events and another
// one pings; turn makes them take turns.
type sse struct {
	w      http.ResponseWriter
	c      *http.ResponseController
	global bool // event numbers are those over all tasks
	deltas bool // the reader wants streamed text
	turn   chan struct{}
	end    chan struct{}
	done   chan struct{}
	begun  bool
	err    error // error of the first failed write; guarded by turn
}

// Begin sends the response header, so that the reader knows that it is connected.
func (o *sse) Begin() error {
	o.begun = true
	o.w.Header().Set("Content-Type", "text/event-stream")
	o.w.WriteHeader(http.StatusOK)
	go o.ping()
	return o.write(": open\n\n")
}

// stop ends the pings. Nothing is written afterwards.
func (o *sse) stop() {
	close(o.end)
	<-o.done
}

func (o *sse) ping() {
	defer close(o.done)
	t := time.NewTicker(pingEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			_ = o.write(": ping\n\n") // write returns the error again for the next event
		case <-o.end:
			return
		}
	}
}

// Event sends a numbered event.
func (o *sse) Event(ev wire.Event) error {
	id := ev.Seq
	if o.global {
		id = ev.Global
	}
	raw, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return o.write(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", id, ev.Type, raw))
}

// Delta sends streamed text. It has no number, since an event brings the whole text.
func (o *sse) Delta(d wire.DeltaEvent) error {
	if !o.deltas {
		return nil
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return o.write(fmt.Sprintf("event: delta\ndata: %s\n\n", raw))
}

func (o *sse) write(text string) error {
	o.turn <- struct{}{}
	defer func() { <-o.turn }()
	if o.err != nil {
		return o.err
	}
	o.err = o.c.SetWriteDeadline(time.Now().Add(writeTime))
	if o.err == nil {
		_, o.err = o.w.Write([]byte(text))
	}
	if o.err == nil {
		o.err = o.c.Flush()
	}
	return o.err
}
