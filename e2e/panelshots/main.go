// Command panelshots takes pictures of the side panel in each of its states,
// 360 px wide, light and dark, with the real extension in a headless Chromium
// and a host that plays canned events.
//
//	go run ./e2e/panelshots -out DIR [-lang zh] [-only confirm]
//	go run ./e2e/panelshots -real -out docs
//
// With -real it takes the two pictures of the README from the whole program at
// work on the tour instead.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tabwright/extension/paneltest"
	"tabwright/host/native"
)

func main() {
	paneltest.ServeHost()
	out := flag.String("out", "e2e/out", "folder for the pictures")
	lang := flag.String("lang", "", "language of the browser, such as zh-CN")
	only := flag.String("only", "", "only scenes whose name contains this")
	width := flag.Int("width", 360, "width of the panel in CSS pixels")
	whole := flag.Bool("real", false, "the card of the real tour, as panel-light.png and panel-dark.png")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if *whole {
		if err := wholeTour(ctx, *out); err != nil {
			fmt.Fprintln(os.Stderr, "panelshots:", err)
			os.Exit(1)
		}
		return
	}
	for _, s := range scenes {
		if !strings.Contains(s.name, *only) {
			continue
		}
		if err := shoot(ctx, s, *out, *lang, *width); err != nil {
			fmt.Fprintf(os.Stderr, "panelshots: %s: %v\n", s.name, err)
			os.Exit(1)
		}
	}
}

func shoot(ctx context.Context, s scene, out, lang string, width int) error {
	dir, err := os.MkdirTemp("", "tw")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var handler paneltest.Handler
	if !s.noHost {
		handler = s.play
	}
	b, err := paneltest.Launch(ctx, paneltest.Options{Dir: dir, Handler: handler, Lang: lang})
	if err != nil {
		return err
	}
	defer b.Close()
	p, err := b.Open(ctx, paneltest.PanelURL, width, 720)
	if err != nil {
		return err
	}
	if err := p.Until(ctx, s.until); err != nil {
		return err
	}
	if s.then != nil {
		if err := s.then(ctx, p); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, scheme := range []string{"light", "dark"} {
		if err := p.Media(ctx, scheme); err != nil {
			return err
		}
		// Two frames, so that what follows from the change is drawn.
		if err := p.Eval(ctx, `new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))`, nil); err != nil {
			return err
		}
		png, err := p.Screenshot(ctx)
		if err != nil {
			return err
		}
		name := filepath.Join(out, s.name+"-"+scheme+".png")
		if err := os.WriteFile(name, png, 0o644); err != nil {
			return err
		}
		fmt.Println(name)
	}
	return nil
}

// play answers the panel with the scene's state and events.
func (s scene) play(_ context.Context, h *paneltest.Host, m native.Message) (any, error) {
	switch m.Method {
	case native.MethodHello:
		return native.HelloResult{Protocol: native.ProtocolMax, Version: "0.1.0", PID: 1, Session: "shots"}, nil
	case native.MethodPanelState:
		st := native.PanelState{Version: "0.1.0", Models: s.models, Tour: true}
		if len(s.events) > 0 {
			st.Tasks = s.tasks()
		}
		return st, nil
	case native.MethodTaskList:
		return native.TaskList{Tasks: s.tasks()}, nil
	case native.MethodModelList:
		return s.models, nil
	case native.MethodTaskSubscribe:
		for i, e := range s.events {
			e.Task, e.Seq, e.Global, e.Time = "t1", uint64(i+1), uint64(i+1), time.Now().UnixMilli()
			if err := h.Event(m.Chan, native.EventTask, e); err != nil {
				return nil, err
			}
		}
		if s.delta != "" {
			if err := h.Event(m.Chan, native.EventDelta, native.DeltaEvent{Task: "t1", Kind: "text", Text: s.delta}); err != nil {
				return nil, err
			}
		}
		return native.Subscribed{Replayed: len(s.events)}, nil
	default:
		return native.Empty{}, nil
	}
}

func (s scene) tasks() []native.TaskInfo {
	if len(s.events) == 0 {
		return nil
	}
	return []native.TaskInfo{{Task: "t1", Text: s.events[0].Text, State: s.state, Model: s.models.Using}}
}
