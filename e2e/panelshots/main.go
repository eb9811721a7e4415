// Command panelshots takes pictures of every screen of the side panel, in several widths,
// themes and languages. The widths are 320, 360 and 600 px, the themes light and dark, the
// languages English and Chinese. It runs the real extension in a headless Chromium, with a
// host that plays canned events (extension/paneltest/scenes).
//
//	go run ./e2e/panelshots -out e2e/out/panel
//	go run ./e2e/panelshots -out DIR -widths 360 -langs en -only confirm
//	go run ./e2e/panelshots -real -out docs
//	go run ./e2e/panelshots -store -out dist/store
//
// With -real it takes the two pictures of the README from the whole program at
// work on the tour instead; with -store those for the Chrome Web Store.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tabwright/extension/paneltest"
	"tabwright/extension/paneltest/scenes"
)

// height of the panel in CSS pixels.
const height = 720

func main() {
	paneltest.ServeHost()
	var o options
	flag.StringVar(&o.out, "out", "e2e/out", "folder for the pictures")
	langs := flag.String("langs", "en,zh", "languages of the panel")
	flag.StringVar(&o.only, "only", "", "only scenes whose name contains this")
	widths := flag.String("widths", "320,360,600", "widths of the panel in CSS pixels")
	whole := flag.Bool("real", false, "the card of the real tour, as panel-light.png and panel-dark.png")
	store := flag.Bool("store", false, "pictures for the Chrome Web Store: 1280 x 800 px")
	flag.Parse()
	o.langs, o.widths = strings.Split(*langs, ","), strings.Split(*widths, ",")
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	var err error
	switch {
	case *whole:
		err = wholeTour(ctx, o.out)
	case *store:
		err = storePictures(ctx, o)
	default:
		err = album(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "panelshots:", err)
		os.Exit(1)
	}
}

type options struct {
	out, only     string
	langs, widths []string
}

// album takes every picture, all in one browser.
func album(ctx context.Context, o options) (err error) {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	t, err := scenes.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	t.Still = true
	size := 0
	var p *paneltest.Page // one tab for all
	for _, s := range scenes.All() {
		if !strings.Contains(s.Name, o.only) {
			continue
		}
		for _, lang := range o.langs {
			p, err = t.Next(ctx, p, &s, lang, 360, height)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", s.Name, lang, err)
			}
			n, err := shoot(ctx, p, s.Name+"-"+lang, o)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", s.Name, lang, err)
			}
			size += n
		}
		fmt.Println(s.Name)
	}
	fmt.Printf("%d KB in all\n", size>>10)
	return nil
}

// shoot takes the panel on a scene at each width, in light and dark. It gives the
// bytes written.
func shoot(ctx context.Context, p *paneltest.Page, scene string, o options) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	size := 0
	for _, width := range o.widths {
		px, err := strconv.Atoi(width)
		if err != nil {
			return 0, err
		}
		// One pixel for one, or the folder would be four times as large.
		if err := p.Resize(ctx, px, height, 1); err != nil {
			return 0, err
		}
		for _, scheme := range []string{"light", "dark"} {
			b, err := still(ctx, p, scheme)
			if err != nil {
				return 0, err
			}
			size += len(b)
			name := filepath.Join(o.out, fmt.Sprintf("%s-%s-%s.png", scene, width, scheme))
			if err := os.WriteFile(name, b, 0o644); err != nil {
				return 0, err
			}
		}
	}
	return size, nil
}

// still takes the panel when nothing in it moves, in few colours.
func still(ctx context.Context, p *paneltest.Page, scheme string) ([]byte, error) {
	if err := p.Media(ctx, scheme); err != nil {
		return nil, err
	}
	// Two frames, so that what follows from the change is drawn; what turns is
	// stopped at the same place each time, and what changes at its end.
	const settle = `document.documentElement.style.caretColor = "transparent"; new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r))).then(() => {
	  for (const a of document.getAnimations()) { if (a instanceof CSSTransition) a.finish(); else { a.pause(); a.currentTime = 0; } }
	})`
	if err := p.Eval(ctx, settle, nil); err != nil {
		return nil, err
	}
	shot, err := p.Screenshot(ctx)
	if err != nil {
		return nil, err
	}
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	err = enc.Encode(&out, quantise(img))
	return out.Bytes(), err
}
