// Command panelshots takes pictures of the side panel in each of its states:
// 320, 360 and 600 px wide, light and dark, in English and Chinese, with the
// real extension in a headless Chromium and a host that plays canned events.
//
//	go run ./e2e/panelshots -out docs/panel
//	go run ./e2e/panelshots -out DIR -widths 360 -langs en -only confirm
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
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"tabwright/extension/paneltest"
	"tabwright/host/native"
)

// height of the panel in CSS pixels.
const height = 720

func main() {
	paneltest.ServeHost()
	out := flag.String("out", "e2e/out", "folder for the pictures")
	langs := flag.String("langs", "en,zh", "languages of the browser")
	only := flag.String("only", "", "only scenes whose name contains this")
	widths := flag.String("widths", "320,360,600", "widths of the panel in CSS pixels")
	whole := flag.Bool("real", false, "the card of the real tour, as panel-light.png and panel-dark.png")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	var err error
	if *whole {
		err = wholeTour(ctx, *out)
	} else {
		err = album(ctx, *out, *only, strings.Split(*langs, ","), strings.Split(*widths, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "panelshots:", err)
		os.Exit(1)
	}
}

// album takes every picture: a browser for each language, and one more where
// there is no host.
func album(ctx context.Context, out, only string, langs, widths []string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, lang := range langs {
		for _, noHost := range []bool{false, true} {
			var some []*scene
			for i := range scenes {
				if scenes[i].noHost == noHost && strings.Contains(scenes[i].name, only) {
					some = append(some, &scenes[i])
				}
			}
			if len(some) == 0 {
				continue
			}
			if err := sitting(ctx, some, noHost, lang, widths, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// sitting takes the pictures of some scenes in one browser.
func sitting(ctx context.Context, some []*scene, noHost bool, lang string, widths []string, out string) error {
	dir, err := os.MkdirTemp("", "tw")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var now atomic.Pointer[scene]
	o := paneltest.Options{Dir: dir, Lang: map[string]string{"zh": "zh-CN"}[lang]}
	if !noHost {
		o.Handler = func(ctx context.Context, h *paneltest.Host, m native.Message) (any, error) {
			return now.Load().play(ctx, h, m)
		}
	}
	now.Store(some[0])
	b, err := paneltest.Launch(ctx, o)
	if err != nil {
		return err
	}
	defer b.Close()
	for _, s := range some {
		now.Store(s)
		for _, width := range widths {
			px, err := strconv.Atoi(width)
			if err != nil {
				return err
			}
			if err := s.shoot(ctx, b, px, filepath.Join(out, fmt.Sprintf("%s-%s-%d", s.name, lang, px))); err != nil {
				return fmt.Errorf("%s at %d px: %w", s.name, px, err)
			}
		}
	}
	return nil
}

// shoot opens the panel on a scene and takes it in light and dark.
func (s *scene) shoot(ctx context.Context, b *paneltest.Browser, width int, name string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	p, err := b.Open(ctx, paneltest.PanelURL, width, height)
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
		file := name + "-" + scheme + ".png"
		if err := os.WriteFile(file, png, 0o644); err != nil {
			return err
		}
		fmt.Println(file)
	}
	return p.Close(ctx)
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
			e.Task, e.Seq, e.Global, e.Time = "t1", uint64(i+1), uint64(i+1), time.Now().Add(-s.ago).UnixMilli()
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
	case native.MethodConvList:
		return native.ConvList{Conversations: talks, Total: len(talks)}, nil
	case native.MethodStepThumb:
		return native.Picture{MIME: "image/png", Data: thumb()}, nil
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
