package httpapi

import (
	"context"
	"net/http"
	"strings"

	"tabwright/host/control"
	"tabwright/host/native"
)

// starting is what a client may ask of a new task.
type starting struct {
	Text         string `json:"text"`
	URL          string `json:"url"`
	TabID        int    `json:"tabId"`
	Model        string `json:"model"`
	Lang         string `json:"lang"`
	Conversation string `json:"conversation"`
}

func (s *Server) startTask(w http.ResponseWriter, r *http.Request) error {
	var t starting
	if err := read(r, &t); err != nil {
		return err
	}
	if strings.TrimSpace(t.Text) == "" {
		return &native.Error{Code: native.CodeInvalidParams, Message: "The task's text is missing.", Hint: "Send it as text."}
	}
	var info native.TaskInfo
	p := native.TaskStartParams{Text: t.Text, URL: t.URL, TabID: t.TabID, Model: t.Model, Lang: t.Lang, Conversation: t.Conversation}
	if err := s.call(r.Context(), native.MethodTaskStart, p, &info); err != nil {
		return err
	}
	w.Header().Set("Location", agentAPI+"/"+info.Task)
	answer(w, http.StatusCreated, info)
	return nil
}

func (s *Server) tasks(ctx context.Context) (native.TaskList, error) {
	l := native.TaskList{}
	err := s.call(ctx, native.MethodTaskList, native.Empty{}, &l)
	if l.Tasks == nil {
		l.Tasks = []native.TaskInfo{}
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
func (s *Server) task(ctx context.Context, id string) (native.TaskInfo, error) {
	l, err := s.tasks(ctx)
	if err != nil {
		return native.TaskInfo{}, err
	}
	for _, t := range l.Tasks {
		if t.Task == id {
			return t, nil
		}
	}
	return native.TaskInfo{}, &native.Error{Code: control.CodeNoTask, Message: "There is no such task among the newest.", Hint: "GET " + agentAPI + " lists them."}
}

func (s *Server) showTask(w http.ResponseWriter, r *http.Request) error {
	return s.taskNow(r.Context(), w, r.PathValue("task"))
}

// say brings the person's words into a task.
func (s *Server) say(w http.ResponseWriter, r *http.Request) error {
	var p struct {
		Text string `json:"text"`
	}
	if err := read(r, &p); err != nil {
		return err
	}
	if strings.TrimSpace(p.Text) == "" {
		return &native.Error{Code: native.CodeInvalidParams, Message: "The text is missing.", Hint: "Send it as text."}
	}
	if err := s.call(r.Context(), native.MethodTaskSay, native.SayParams{Task: r.PathValue("task"), Text: p.Text}, nil); err != nil {
		return err
	}
	return s.taskNow(r.Context(), w, r.PathValue("task"))
}
