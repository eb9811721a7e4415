package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"

	"tabwright/e2e/shop"
	"tabwright/extension/paneltest"
	"tabwright/extension/paneltest/scenes"
)

// The size of a picture for the Chrome Web Store, and how much of it is the panel's.
const (
	storeWidth, storeHeight = 1280, 800
	storePanel              = 360
)

// storeScenes are those in the store, which takes five in each language.
var storeScenes = []string{"confirm", "plan", "done", "workflow-running", "settings-models"}

// storePictures takes the pictures for the store: the panel beside a page of the shop.
func storePictures(ctx context.Context, o options) (err error) {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	site := httptest.NewServer(shop.New(1).Handler())
	defer site.Close()
	t, err := scenes.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	t.Still = true
	page, err := t.Browser.Open(ctx, site.URL, storeWidth-storePanel, storeHeight)
	if err != nil {
		return err
	}
	if err := page.Until(ctx, `document.readyState === "complete"`); err != nil {
		return err
	}
	if err := page.Resize(ctx, storeWidth-storePanel, storeHeight, 1); err != nil {
		return err
	}
	left, err := picture(ctx, page)
	if err != nil {
		return err
	}
	var p *paneltest.Page // one tab for all
	taken := 0
	for _, s := range scenes.All() {
		at := slices.Index(storeScenes, s.Name)
		if at < 0 {
			continue
		}
		for _, lang := range o.langs {
			if p, err = t.Next(ctx, p, &s, lang, storePanel, storeHeight); err != nil {
				return fmt.Errorf("%s, %s: %w", s.Name, lang, err)
			}
			if err := p.Resize(ctx, storePanel, storeHeight, 1); err != nil {
				return err
			}
			right, err := picture(ctx, p)
			if err != nil {
				return err
			}
			name := filepath.Join(o.out, fmt.Sprintf("%s-%d-%s.png", lang, at+1, s.Name))
			if err := writePicture(name, left, right); err != nil {
				return err
			}
			fmt.Println(name)
			taken++
		}
	}
	if taken != len(storeScenes)*len(o.langs) {
		return fmt.Errorf("%d pictures instead of %d", taken, len(storeScenes)*len(o.langs))
	}
	return nil
}

func picture(ctx context.Context, p *paneltest.Page) (image.Image, error) {
	b, err := still(ctx, p, "light")
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(b))
}

// writePicture writes the page and the panel side by side, with no transparency,
// which the store refuses.
func writePicture(name string, left, right image.Image) error {
	all := image.NewRGBA(image.Rect(0, 0, storeWidth, storeHeight))
	draw.Draw(all, all.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(all, left.Bounds(), left, left.Bounds().Min, draw.Src)
	draw.Draw(all, right.Bounds().Add(image.Pt(storeWidth-storePanel, 0)), right, right.Bounds().Min, draw.Src)
	line := image.Rect(storeWidth-storePanel-1, 0, storeWidth-storePanel, storeHeight)
	draw.Draw(all, line, image.NewUniform(image.Black.C), image.Point{}, draw.Src)
	if !all.Opaque() {
		return errors.New("the picture is transparent")
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, all), f.Close())
}
