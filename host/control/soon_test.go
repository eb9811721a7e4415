package control

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// silentServer takes connections and never answers.
func silentServer(t *testing.T) string {
	t.Helper()
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(release); s.Close() })
	return s.URL
}

// A panel must draw itself although the model server does not answer.
func TestAPanelDoesNotWaitForAModelServer(t *testing.T) {
	url := silentServer(t)
	dial, _, _ := startBroker(t, func(b *Broker) {
		b.Manager.Models.Config = func(string) (llm.Config, error) {
			return llm.Config{Provider: "ollama", BaseURL: url, Model: "m"}, nil
		}
	})
	p := joined(t, dial)
	began := time.Now()
	s, err := rpc.Ask[wire.PanelState](t.Context(), p.Chan("panel"), wire.MethodPanelState, wire.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
	if s.Models.Error == nil || s.Models.Error.Code != wire.CodeLooking || s.Models.Using != "ollama/m" {
		t.Errorf("models %+v", s.Models)
	}
}
