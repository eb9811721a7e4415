package llm

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A server that sends on to another one gets no key and no task there, whatever the
// header of the key and the status of the redirect.
func TestNoRedirectToAnotherServer(t *testing.T) {
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		for _, provider := range []string{"openai", "anthropic", "ollama"} {
			t.Run(provider+" "+http.StatusText(status), func(t *testing.T) {
				asked := false
				other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
				defer other.Close()
				first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					http.Redirect(w, r, other.URL+r.URL.Path, status)
				}))
				defer first.Close()
				cfg := Config{Provider: provider, BaseURL: first.URL, Model: "m", APIKey: "k3y", Retries: 1}
				_, err := ListModels(context.Background(), cfg)
				var known *Error
				if !errors.As(err, &known) || known.Code != CodeInvalidConfig || !strings.Contains(known.Message, strings.TrimPrefix(other.URL, "http://")) {
					t.Errorf("the list of models: %v", err)
				}
				m, err := New(context.Background(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				_, err = m.Chat(context.Background(), Request{Messages: []Message{Text(RoleUser, "hello")}}, nil)
				if known = nil; !errors.As(err, &known) || known.Code != CodeInvalidConfig {
					t.Errorf("a reply: %v", err)
				}
				if asked {
					t.Error("the other server was asked")
				}
			})
		}
	}
}

// Within one server a redirect is followed.
func TestRedirectWithinAServer(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/new/models" {
			http.Redirect(w, r, "/new/models", http.StatusTemporaryRedirect)
			return
		}
		_, _ = w.Write([]byte(`{"data":[{"id":"one"}]}`))
	}))
	defer srv.Close()
	list, err := ListModels(context.Background(), Config{Provider: "openai", BaseURL: srv.URL, APIKey: "k3y"})
	if err != nil || len(list) != 1 {
		t.Errorf("got %v, %v", list, err)
	}
}
