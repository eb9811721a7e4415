package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/e2e/shop"
	"tabwright/e2e/standin"
	"tabwright/host/control/models"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// tour is the bundled shop with a stand-in model, for people who want to see
// Tabwright at work before they have a model. The stand-in follows a script and
// is labelled so everywhere; it speaks Ollama's wire format like a real one.
type tour struct {
	models *models.Catalog
	log    zerolog.Logger

	mu     sync.Mutex
	info   *wire.TourInfo
	server *http.Server
	model  *standin.Server
}

// tourTask is what the tour suggests to type.
const tourTask = "find the cheapest blue mug and buy it"

// start starts shop and stand-in on loopback; a second call gives the same.
func (t *tour) start(context.Context) (wire.TourInfo, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.info != nil {
		return *t.info, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return wire.TourInfo{}, fmt.Errorf("the tour's shop: %w", err)
	}
	seed := rand.Int64N(1_000_000)
	t.server = &http.Server{Handler: TourHandler(shop.New(seed)), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := t.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			t.log.Error().Err(err).Msg("the tour's shop ended")
		}
	}()
	t.model = standin.New(standin.Options{Format: standin.OllamaTools, Model: "tour-script", Brain: standin.NewShopper(), Delay: 15 * time.Millisecond})
	if err := t.model.Err(); err != nil {
		return wire.TourInfo{}, errors.Join(err, t.server.Close())
	}
	id := t.models.UseStandIn(llm.Config{Provider: t.model.Provider(), Model: t.model.Model(), BaseURL: t.model.URL()})
	t.info = &wire.TourInfo{URL: "http://" + l.Addr().String() + "/", Task: tourTask, Seed: seed, Mod: id}
	t.log.Info().Str("url", t.info.URL).Int64("seed", seed).Msg("tour started")
	return *t.info, nil
}

// TourHandler is the shop with its record of orders beside it, for whoever
// wants to check what was really bought.
func TourHandler(s *shop.Shop) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", s.Handler())
	mux.HandleFunc("GET /tour/orders.json", func(w http.ResponseWriter, _ *http.Request) {
		orders := s.Orders()
		if orders == nil {
			orders = []shop.Order{}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(orders) // the visitor went away
	})
	return mux
}

func (t *tour) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.info == nil {
		return
	}
	_ = t.server.Close() // the process ends
	t.model.Close()
}
