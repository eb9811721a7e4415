package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tabwright/e2e/rig"
	"tabwright/host/tether"
)

// door is a running `tabwright http`.
type door struct {
	client  *http.Client
	dir     string
	tie     *tether.Tether // of the server
	tidying *tether.Tether // of its folder
}

const (
	callTime    = 3 * time.Minute  // of one call
	findTime    = 20 * time.Second // until a target is there
	findEvery   = 150 * time.Millisecond
	listMost    = 3000 // elements of a page
	answerMost  = 64 << 20
	loopback    = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
	doorTimeout = 20 * time.Second
)

func openDoor(ctx context.Context, binary string) (*door, error) {
	dir, err := os.MkdirTemp("", "tw-deeds-") // short, for the socket's path
	if err != nil {
		return nil, err
	}
	d := &door{dir: dir}
	if d.tidying, err = rig.Tie(dir); err != nil {
		return nil, err
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	cmd := exec.Command(binary, "http", "--socket", at("http.sock")) //nolint:noctx // the tether ends it
	cmd.Env = append(os.Environ(),
		"XDG_CONFIG_HOME="+at("config"), "XDG_DATA_HOME="+at("data"), "XDG_STATE_HOME="+at("state"),
		"XDG_CACHE_HOME="+at("cache"), "TABWRIGHT_SOCKET="+filepath.Join(dir, "run", "broker.sock"))
	cmd.Stderr = os.Stderr
	if d.tie, err = tether.New(""); err != nil {
		return nil, err
	}
	if err := d.tie.Start(cmd); err != nil {
		return nil, err
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", at("http.sock"))
	}
	d.client = &http.Client{Transport: &http.Transport{DialContext: dial}, Timeout: callTime}
	for until := time.Now().Add(doorTimeout); ; time.Sleep(findEvery) {
		if err = d.call(ctx, http.MethodGet, "/api/v1/status", nil, nil); err == nil {
			return d, nil
		}
		if time.Now().After(until) {
			d.close()
			return nil, err
		}
	}
}

func (d *door) close() {
	_ = d.tie.Close()
	_ = os.RemoveAll(d.dir)
	_ = d.tidying.Close()
}

// call makes one call and decodes the answer into to, also that of a failed action.
func (d *door) call(ctx context.Context, method, path string, body, to any) error {
	var send io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		send = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://tabwright"+path, send)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := d.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, answerMost))
	if err != nil {
		return err
	}
	if to == nil {
		if resp.StatusCode >= http.StatusBadRequest {
			return fmt.Errorf("%s %s: %s", method, path, tail(raw))
		}
		return nil
	}
	return json.Unmarshal(raw, to)
}

// session is a session with its own browser.
type session struct {
	door  *door
	id    string
	asked []string // what was asked about, since it was last emptied
	// untrue are cards that lack the words of their button, what they are about, or why.
	untrue []string
}

// open begins a session with a headless browser that reaches only loopback.
func (d *door) open(ctx context.Context, confirm string) (*session, error) {
	var got struct {
		Session string
		Error   *failure
	}
	body := map[string]any{"client": "deeds", "confirm": confirm, "launch": map[string]any{"headless": true}}
	if err := d.call(ctx, http.MethodPost, "/api/v1/browser/session", body, &got); err != nil {
		return nil, err
	}
	if got.Error != nil {
		return nil, got.Error
	}
	return &session{door: d, id: got.Session}, nil
}

func (s *session) close() {
	ctx, cancel := context.WithTimeout(context.Background(), doorTimeout)
	defer cancel()
	_ = s.door.call(ctx, http.MethodDelete, "/api/v1/browser/session/"+s.id, nil, nil)
}

// failure is the error of an action.
type failure struct {
	Code, Message string
	Confirmation  string `json:"confirmation_id"`
}

func (f *failure) Error() string { return f.Code + ": " + plain(f.Message) }

// action does one action. It answers questions with yes or no, and notes them.
func (s *session) action(ctx context.Context, name string, params any, yes bool, to any) error {
	path := "/api/v1/browser/session/" + s.id
	body := map[string]any{"action": name, "params": params}
	const most = 4 // questions about one action
	for range most {
		var raw json.RawMessage
		if err := s.door.call(ctx, http.MethodPost, path+"/action", body, &raw); err != nil {
			return err
		}
		var got struct {
			Error   *failure
			Confirm struct {
				Class, Target string
				Reasons       []string
				Yes           map[string]string
			}
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			return err
		}
		switch {
		case got.Error == nil && to == nil:
			return nil
		case got.Error == nil:
			return json.Unmarshal(raw, to)
		case got.Error.Code != "needs_confirmation":
			return got.Error
		}
		s.asked = append(s.asked, strings.Join(append([]string{got.Confirm.Class, got.Confirm.Target}, got.Confirm.Reasons...), "; "))
		if got.Confirm.Yes["en"] == "" || got.Confirm.Yes["zh"] == "" || got.Confirm.Class == "" || len(got.Confirm.Reasons) == 0 {
			s.untrue = append(s.untrue, fmt.Sprintf("%s of %s: %+v", name, plain(got.Confirm.Target), got.Confirm))
		}
		body["confirmation_id"] = got.Error.Confirmation
		answer := map[string]any{"confirmation_id": got.Error.Confirmation, "allow": yes}
		if err := s.door.call(ctx, http.MethodPost, path+"/answer", answer, nil); err != nil {
			return err
		}
	}
	return errors.New("asked again and again")
}

// do does an act on the app at base.
func (s *session) do(ctx context.Context, a act, base string, yes bool) error {
	name, params, err := s.resolve(ctx, a, base)
	if err != nil {
		return err
	}
	return s.action(ctx, name, params, yes, nil)
}

// resolve finds the element of an act and returns the action with its parameters.
func (s *session) resolve(ctx context.Context, a act, base string) (string, map[string]any, error) {
	p, err := s.place(ctx, a)
	if err != nil {
		return "", nil, err
	}
	switch a.verb {
	case "drag":
		onto, err := s.place(ctx, *a.onto)
		return "dragDrop", map[string]any{"from": p, "to": onto}, err
	case "dblclick":
		p["clicks"] = 2
		return "click", p, nil
	case "rightclick":
		p["button"] = "right"
		return "click", p, nil
	case "type", "append", "submit":
		p["text"], p["clear"], p["submit"] = a.value, a.verb != "append", a.verb == "submit"
		return "type", p, nil
	case "select":
		p["value"] = a.value
	case "press":
		keys := strings.Split(a.name, "+")
		p["key"] = keys[len(keys)-1]
		if held := keys[:len(keys)-1]; len(held) > 0 {
			p["modifiers"] = held
		}
		return "pressKey", p, nil
	case "navigate":
		p["url"] = base + a.name
	case "wait":
		p["text"], p["timeoutMs"] = a.name, findTime.Milliseconds()
		return "waitFor", p, nil
	case "settle":
		p["state"], p["timeoutMs"] = "networkidle", findTime.Milliseconds()
		return "waitFor", p, nil
	case "tab":
		p["url"] = a.name
		return "switchTab", p, nil
	case "back":
		return "goBack", p, nil
	case "accept", "dismiss":
		p["accept"] = a.verb == "accept"
		if a.hasValue {
			p["text"] = a.value
		}
		return "handleDialog", p, nil
	}
	return a.verb, p, nil
}

// place waits for the element of an act and returns the parameters that name it.
func (s *session) place(ctx context.Context, a act) (map[string]any, error) {
	switch a.role {
	case "":
		return map[string]any{}, nil
	case "css":
		wait := map[string]any{"selector": a.name, "timeoutMs": findTime.Milliseconds()}
		return map[string]any{"selector": a.name}, s.action(ctx, "waitFor", wait, true, nil)
	}
	index, err := s.find(ctx, a)
	return map[string]any{"index": index}, err
}

// find waits until the page lists the element of an act, and returns its index.
func (s *session) find(ctx context.Context, a act) (int, error) {
	for until := time.Now().Add(findTime); ; {
		var l list
		params := map[string]any{"limit": listMost}
		err := s.action(ctx, "getElements", params, true, &l)
		if err == nil {
			if index := l.find(a); index != 0 {
				return index, nil
			}
			err = &failure{Code: "not_found", Message: "nothing on the page is " + a.words}
		}
		if time.Now().After(until) {
			return 0, err
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(findEvery):
		}
	}
}
