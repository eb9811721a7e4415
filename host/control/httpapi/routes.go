package httpapi

import (
	"context"
	"net/http"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

const (
	browserAPI = "/api/v1/browser/session"
	agentAPI   = "/api/v1/agent/task"
)

func (s *Server) routes() {
	s.on("GET /api/v1/status", s.status)
	s.on("GET /api/v1/actions", s.actions)

	s.on("POST "+browserAPI, s.openSession)
	s.on("GET "+browserAPI, s.listSessions)
	s.on("GET "+browserAPI+"/{session}", s.showSession)
	s.on("DELETE "+browserAPI+"/{session}", s.closeSession)
	s.on("POST "+browserAPI+"/{session}/action", s.act)
	s.on("POST "+browserAPI+"/{session}/observe", s.observe)
	s.on("POST "+browserAPI+"/{session}/answer", s.answerQuestion)
	s.on("GET "+browserAPI+"/{session}/events", s.sessionEvents)

	s.on("POST "+agentAPI, s.startTask)
	s.on("GET "+agentAPI, s.listTasks)
	s.on("GET "+agentAPI+"/{task}", s.showTask)
	s.on("POST "+agentAPI+"/{task}/stop", s.steer(wire.MethodTaskStop))
	s.on("POST "+agentAPI+"/{task}/pause", s.steer(wire.MethodTaskPause))
	s.on("POST "+agentAPI+"/{task}/resume", s.steer(wire.MethodTaskResume))
	s.on("POST "+agentAPI+"/{task}/say", s.say)
	s.on("GET "+agentAPI+"/{task}/events", s.taskEvents)
	s.on("GET /api/v1/agent/events", s.allEvents)

	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, &wire.Error{Code: CodeNoRoute, Message: r.Method + " " + r.URL.Path + " is not here.", Hint: "docs/http.md lists what is."})
	})
}

// on adds a route. An error that f returns is sent as the answer.
func (s *Server) on(pattern string, f func(w http.ResponseWriter, r *http.Request) error) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if err := f(w, r); err != nil {
			writeError(w, r, err)
		}
	})
}

// status returns the versions and the broker's status.
func (s *Server) status(w http.ResponseWriter, r *http.Request) error {
	var b wire.BrokerStatus
	if err := s.call(r.Context(), wire.MethodBrokerStatus, wire.Empty{}, &b); err != nil {
		return err
	}
	answer(w, http.StatusOK, map[string]any{"version": s.o.Version, "broker": b})
	return nil
}

// actions lists the actions with the schemas of their parameters.
func (s *Server) actions(w http.ResponseWriter, _ *http.Request) error {
	type entry struct {
		Action string `json:"action"`
		Doc    string `json:"doc"`
		Params any    `json:"params"`
	}
	out := []entry{}
	for _, t := range action.Tools(true) {
		out = append(out, entry{t.Name, t.Description, t.Schema})
	}
	answer(w, http.StatusOK, map[string]any{"actions": out})
	return nil
}

// steer returns the handler of a method whose only parameter is a task.
func (s *Server) steer(method string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.call(r.Context(), method, wire.TaskParams{Task: r.PathValue("task")}, nil); err != nil {
			return err
		}
		return s.taskNow(r.Context(), w, r.PathValue("task"))
	}
}

func (s *Server) taskNow(ctx context.Context, w http.ResponseWriter, id string) error {
	t, err := s.task(ctx, id)
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, t)
	return nil
}
