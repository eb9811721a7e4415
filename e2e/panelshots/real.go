package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tabwright/e2e/rig"
)

// wholeTour takes the pictures of docs/ from the real thing: extension, shim,
// broker and gate, on the tour's shop, when the card is open.
func wholeTour(ctx context.Context, out string) (err error) {
	r, err := rig.Start(ctx, rig.Options{Headless: true, Args: []string{"--hide-scrollbars"}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	p, err := r.OpenPanel(ctx)
	if err != nil {
		return err
	}
	if err := p.Resize(ctx, 360, 760); err != nil {
		return err
	}
	for _, wait := range []struct{ until, click string }{
		{`document.querySelector('[data-testid=tour]')`, "tour"},
		{`document.querySelector('[data-testid=send]:enabled')`, "send"},
	} {
		if err := p.Await(ctx, wait.until); err != nil {
			return err
		}
		if err := p.Click(ctx, wait.click); err != nil {
			return err
		}
	}
	if err := p.Await(ctx, `document.querySelector('[data-testid=confirm-allow]:enabled')`); err != nil {
		return fmt.Errorf("%w\n%s", err, r.Logs())
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, dark := range []bool{false, true} {
		if err := p.Dark(ctx, dark); err != nil {
			return err
		}
		// Colours change over a moment; the picture is of the end.
		if err := p.Eval(ctx, `new Promise(r => requestAnimationFrame(r)).then(() => Promise.all(document.getAnimations().filter(a => a instanceof CSSTransition).map(a => a.finished)))`, nil); err != nil {
			return err
		}
		name := map[bool]string{false: "panel-light.png", true: "panel-dark.png"}[dark]
		if err := p.Screenshot(ctx, filepath.Join(out, name)); err != nil {
			return err
		}
		if err := os.Chmod(filepath.Join(out, name), 0o644); err != nil {
			return err
		}
		fmt.Println(filepath.Join(out, name))
	}
	if err := p.Deny(ctx); err != nil {
		return err
	}
	return p.Await(ctx, `document.querySelector('[data-testid=status]').dataset.state === 'failed'`)
}
