package httpapi

import (
	"context"
	"net/http"
	"strings"

	"tabwright/host/native/wire"
)

// startRequest holds what a client may set for a new task.
type startRequest struct {
	Text         string `json:"text"`
	URL          string `json:"url"`
	TabID        int    `json:"tabId"`
	Model        string `json:"model"`
	Lang         string `json:"lang"`
	Conversation string `json:"conversation"`
}

func (s *Server) startTask(w http.ResponseWriter, r *http.Request) error {
	var t startRequest
	if err := read(r, &t); err != nil {
		return err
	}
	if strings.TrimSpace(t.Text) == "" {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: "The task's text is missing.", Hint: "Send it as text."}
	}
	var info wire.TaskInfo
	p := wire.TaskStartParams{Text: t.Text, URL: t.URL, TabID: t.TabID, Model: t.Model, Lang: t.Lang, Conversation: t.Conversation}
	if err := s.call(r.Context(), wire.MethodTaskStart, p, &info); err != nil {
		return err
	}
	w.Header().Set("Location", agentAPI+"/"+info.Task)
	answer(w, http.StatusCreated, info)
	return nil
}

func (s *Server) tasks(ctx context.Context) (wire.TaskList, error) {
	l := wire.TaskList{}
	err := s.call(ctx, wire.MethodTaskList, wire.Empty{}, &l)
	if l.Tasks == nil {
		l.Tasks = []wire.TaskInfo{}
	}
	return l, err
}

func (s *Server) listTasks(w http.ResponseWriter, r *http.Request) error {
	l, err := s.tasks(r.Context())
	if err == nil {
		answer(w, http.StatusOK, l)
	}
	return err
}

// task finds a task among the newest.
func (s *Server) task(ctx context.Context, id string) (wire.TaskInfo, error) {
	l, err := s.tasks(ctx)
	if err != nil {
		return wire.TaskInfo{}, err
	}
	for _, t := range l.Tasks {
		if t.Task == id {
			return t, nil
		}
	}
	return wire.TaskInfo{}, &wire.Error{Code: wire.CodeNoTask, Message: "There is no such task among the newest.", Hint: "GET " + agentAPI + " lists them."}
}

func (s *Server) showTask(w http.ResponseWriter, r *http.Request) error {
	return s.taskNow(r.Context(), w, r.PathValue("task"))
}

// say passes a message to a task.
func (s *Server) say(w http.ResponseWriter, r *http.Request) error {
	var p struct {
		Text string `json:"text"`
	}
	if err := read(r, &p); err != nil {
		return err
	}
	if strings.TrimSpace(p.Text) == "" {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: "The text is missing.", Hint: "Send it as text."}
	}
	if err := s.call(r.Context(), wire.MethodTaskSay, wire.SayParams{Task: r.PathValue("task"), Text: p.Text}, nil); err != nil {
		return err
	}
	return s.taskNow(r.Context(), w, r.PathValue("task"))
}
