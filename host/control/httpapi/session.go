package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// openRequest holds what a client may set for a new session. The settings say which
// binary is launched, with which arguments.
type openRequest struct {
	Name     string   `json:"name"`
	Client   string   `json:"client"`
	Profile  string   `json:"profile"`
	Confirm  string   `json:"confirm"`
	Lang     string   `json:"lang"`
	Hosts    []string `json:"hosts"`
	Launch   *launch  `json:"launch"`
	CDP      string   `json:"cdp"`
	Isolated bool     `json:"isolated"`
}

type launch struct {
	Headless bool `json:"headless"`
}

func (s *Server) openSession(w http.ResponseWriter, r *http.Request) error {
	var o openRequest
	if err := read(r, &o); err != nil {
		return err
	}
	p := wire.SessionOpenParams{
		Name: o.Name, Client: cmp.Or(o.Client, "A program over HTTP"), Profile: o.Profile, Confirm: o.Confirm, Lang: o.Lang, Hosts: o.Hosts, CDP: o.CDP, Isolated: o.Isolated,
	}
	if o.Launch != nil {
		p.Launch = &wire.SessionLaunch{Headless: o.Launch.Headless}
	}
	if s.o.Open != nil {
		var err error
		if p, err = s.o.Open(p); err != nil {
			return err
		}
	}
	var info wire.SessionInfo
	if err := s.call(r.Context(), wire.MethodSessionOpen, p, &info); err != nil {
		return err
	}
	status := http.StatusOK
	if info.New {
		status = http.StatusCreated
	}
	w.Header().Set("Location", browserAPI+"/"+info.Session)
	answer(w, status, info)
	return nil
}

func (s *Server) sessions(ctx context.Context) (wire.SessionList, error) {
	l := wire.SessionList{}
	err := s.call(ctx, wire.MethodSessionList, wire.Empty{}, &l)
	if l.Sessions == nil {
		l.Sessions = []wire.SessionInfo{}
	}
	return l, err
}

func (s *Server) listSessions(w http.ResponseWriter, r *http.Request) error {
	l, err := s.sessions(r.Context())
	if err == nil {
		answer(w, http.StatusOK, l)
	}
	return err
}

// session finds the open session that the address names.
func (s *Server) session(r *http.Request) (wire.SessionInfo, error) {
	l, err := s.sessions(r.Context())
	if err != nil {
		return wire.SessionInfo{}, err
	}
	for _, i := range l.Sessions {
		if i.Session == r.PathValue("session") {
			return i, nil
		}
	}
	return wire.SessionInfo{}, &wire.Error{Code: wire.CodeNoSession, Message: "No session of this name is open.", Hint: "POST " + browserAPI + " opens one."}
}

func (s *Server) showSession(w http.ResponseWriter, r *http.Request) error {
	i, err := s.session(r)
	if err == nil {
		answer(w, http.StatusOK, i)
	}
	return err
}

// closeSession ends a session, and with ?tabs=true closes its tabs.
func (s *Server) closeSession(w http.ResponseWriter, r *http.Request) error {
	tabs, err := flagOf(r, "tabs")
	if err != nil {
		return err
	}
	if err := s.call(r.Context(), wire.MethodSessionClose, wire.SessionCloseParams{Session: r.PathValue("session"), Tabs: tabs}, nil); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// actRequest is the body of an action. The same call with the id of its question waits
// for the answer.
type actRequest struct {
	Action         string          `json:"action"`
	Params         json.RawMessage `json:"params"`
	Explain        bool            `json:"explain"`
	ConfirmationID string          `json:"confirmation_id"`
}

func (s *Server) act(w http.ResponseWriter, r *http.Request) error {
	var a actRequest
	if err := read(r, &a); err != nil {
		return err
	}
	if a.Action == "" {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: "The action is missing.", Hint: "GET /api/v1/actions lists them."}
	}
	return s.result(w, r, wire.MethodSessionDo, wire.SessionDoParams{
		Session: r.PathValue("session"), Action: a.Action, Params: a.Params, Explain: a.Explain, ConfirmationID: a.ConfirmationID,
	})
}

func (s *Server) observe(w http.ResponseWriter, r *http.Request) error {
	var o struct {
		Full   bool `json:"full"`
		Budget int  `json:"budget"`
	}
	if err := read(r, &o); err != nil {
		return err
	}
	return s.result(w, r, wire.MethodSessionObserve, wire.SessionObserveParams{Session: r.PathValue("session"), Full: o.Full, Budget: o.Budget})
}

// result answers with an action's result. The status is 200 or that of its error's
// code; the body has the same form.
func (s *Server) result(w http.ResponseWriter, r *http.Request, method string, p any) error {
	var res wire.SessionResult
	if err := s.call(r.Context(), method, p, &res); err != nil {
		return err
	}
	body := control.StructuredResult(res)
	if _, read := body["text"]; !read { // getText sets its own text, the page's, without words for a model
		body["text"] = res.Text
	}
	if len(res.Image) > 0 {
		body["image"] = map[string]any{"mime": res.MIME, "data": res.Image} // base64
	}
	if res.Confirm != nil {
		body["confirm"] = res.Confirm
	}
	status := http.StatusOK
	if res.Error != nil {
		status = statusOf(res.Error.Code, http.StatusUnprocessableEntity)
	}
	answer(w, status, body)
	return nil
}

// answerQuestion answers a question in a launched browser. In the user's own browser
// the broker refuses it, because only the panel answers there.
func (s *Server) answerQuestion(w http.ResponseWriter, r *http.Request) error {
	var a struct {
		ConfirmationID string `json:"confirmation_id"`
		Allow          *bool  `json:"allow"`
		Note           string `json:"note"` // why not
	}
	if err := read(r, &a); err != nil {
		return err
	}
	if a.ConfirmationID == "" || a.Allow == nil {
		return &wire.Error{Code: wire.CodeInvalidParams, Message: "An answer has a confirmation_id, and allow that is true or false."}
	}
	p := wire.SessionAnswerParams{Session: r.PathValue("session"), ConfirmationID: a.ConfirmationID, Allow: *a.Allow, Note: a.Note}
	if err := s.call(r.Context(), wire.MethodSessionAnswer, p, nil); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func flagOf(r *http.Request, name string) (bool, error) {
	v := r.URL.Query().Get(name)
	if v == "" {
		return false, nil
	}
	b, err := strconv.ParseBool(v)
	if err != nil {
		return false, &wire.Error{Code: wire.CodeInvalidParams, Message: name + " is true or false."}
	}
	return b, nil
}
