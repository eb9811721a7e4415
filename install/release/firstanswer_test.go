package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
)

// TestNPXToTheFirstAnswer goes from `npx tabwright install` on a machine that never had
// the program to the first answer in the panel of a new profile, and says how long the
// machine took. The extension is loaded, and its button clicked, by the browser's
// protocol; what is clicked in the panel is clicked.
func TestNPXToTheFirstAnswer(t *testing.T) {
	whole(t)
	p := publish(t)
	model := standin.New(standin.Options{Format: standin.OllamaTools, Brain: standin.NewScript(standin.Tell("It is about tea."))})
	t.Cleanup(model.Close)
	must(t, model.Err())
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!doctype html><title>Tea</title><h1>Tea</h1><p>All about tea.")) // the browser may have gone
	}))
	t.Cleanup(site.Close)

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	began := time.Now()
	mark := func(what string) { t.Logf("%5.1f s: %s", time.Since(began).Seconds(), what) }
	r, err := rig.Start(ctx, rig.Options{
		Program: []string{"npx", "tabwright@0.9.0"}, Headless: true,
		Env: append([]string{"HOME=" + p.dir, "OLLAMA_HOST=" + model.URL()}, p.npm...),
	})
	must(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(r.Logs())
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	mark("installed, and the browser started with the extension")
	page, err := r.Open(ctx, site.URL)
	must(t, err)
	must(t, rig.Await(ctx, page, `document.readyState === 'complete' && document.title === 'Tea'`))
	panel, err := r.OpenSidePanel(ctx, page)
	must(t, err)
	mark("the panel is connected")
	for _, button := range []string{"first-next", "first-done"} {
		must(t, panel.Await(ctx, `document.querySelector('[data-testid=`+button+`]')`))
		must(t, panel.Click(ctx, button))
	}
	must(t, panel.Await(ctx, `document.querySelector('[data-testid=composer]')`))
	must(t, panel.Send(ctx, "what is this page about?"))
	must(t, panel.Await(ctx, `document.querySelector('[data-testid=message-agent][data-final=true]')?.innerText.includes('It is about tea.')`))
	mark("the first answer")
}
