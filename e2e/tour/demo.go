package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tabwright/e2e/rig"
	"tabwright/host/browser"
)

// demoTime bounds the whole demo, the user's answer included.
const demoTime = 10 * time.Minute

// demo goes through the shop as a user would, in the panel.
func demo(ctx context.Context, r *rig.Rig, o options) error {
	ctx, cancel := context.WithTimeout(ctx, demoTime)
	defer cancel()
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	p, err := r.OpenPanel(ctx)
	if err != nil {
		return err
	}
	fmt.Println("The panel is connected: extension, native host, broker.")
	if err := p.Await(ctx, `document.querySelector('[data-testid=tour]')`); err != nil {
		return err
	}
	if err := p.Click(ctx, "tour"); err != nil {
		return err
	}
	shopTab, err := shopTab(ctx, r)
	if err != nil {
		return err
	}
	fmt.Println("The tour's shop is open at", shopTab.URL())
	fmt.Println("The model is a stand-in that follows a script; it is no real model.")
	if err := p.Await(ctx, `document.querySelector('[data-testid=composer]').value && !document.querySelector('[data-testid=send]').disabled`); err != nil {
		return err
	}
	var words string
	if err := p.Eval(ctx, `document.querySelector('[data-testid=composer]').value`, &words); err != nil {
		return err
	}
	fmt.Println("Task:", words)
	if err := p.Click(ctx, "send"); err != nil {
		return err
	}
	allowed, err := watch(ctx, p, shopTab, o)
	if err != nil {
		return err
	}
	if err := pictures(ctx, p, shopTab, o.out, "end"); err != nil {
		return err
	}
	return verdict(ctx, shopTab, allowed)
}

// shopTab waits for the tab that the tour opened.
func shopTab(ctx context.Context, r *rig.Rig) (*browser.Tab, error) {
	events, cancel := r.Driver.Subscribe()
	defer cancel()
	for {
		tabs, err := r.Driver.Tabs(ctx)
		if err != nil {
			return nil, err
		}
		for _, t := range tabs {
			if !strings.HasPrefix(t.URL, "http://127.0.0.1:") {
				continue
			}
			tab, err := r.Driver.Attach(ctx, t.ID)
			if err != nil {
				return nil, err
			}
			return tab, rig.Await(ctx, tab, `document.readyState === 'complete'`)
		}
		select {
		case <-events:
		case <-ctx.Done():
			return nil, fmt.Errorf("the tour's shop did not open: %w", ctx.Err())
		}
	}
}

const (
	cardOpen = `!!document.querySelector('[data-testid=confirm-allow]')`
	ended    = `['done', 'failed', 'cancelled', 'interrupted'].includes(document.querySelector('[data-testid=status]').dataset.state)`
)

// watch prints each step as the panel shows it, and puts the question of a
// card to the user.
func watch(ctx context.Context, p *rig.Panel, shop *browser.Tab, o options) (allowed bool, err error) {
	shown := 0
	for {
		more := fmt.Sprintf(`document.querySelectorAll('[data-testid=step][data-state]:not([data-state=running])').length > %d || %s || %s`, shown, cardOpen, ended)
		if err := p.Await(ctx, more); err != nil {
			return allowed, err
		}
		steps, err := finishedSteps(ctx, p)
		if err != nil {
			return allowed, err
		}
		for _, s := range steps[min(shown, len(steps)):] {
			shown++
			fmt.Printf("%2d. %s\n", shown, s)
		}
		var state struct{ Card, Ended bool }
		if err := p.Eval(ctx, fmt.Sprintf(`({Card: %s, Ended: !!%s})`, cardOpen, ended), &state); err != nil {
			return allowed, err
		}
		switch {
		case state.Card:
			if allowed, err = answer(ctx, p, shop, o); err != nil {
				return allowed, err
			}
		case state.Ended:
			return allowed, sayEnd(ctx, p)
		}
	}
}

// sayEnd prints how the task ended, in the panel's words.
func sayEnd(ctx context.Context, p *rig.Panel) error {
	var end string
	err := p.Eval(ctx, `[...document.querySelectorAll('[data-testid=failure], [data-testid=message-agent][data-final=true]')].at(-1)?.innerText ?? ''`, &end)
	fmt.Println("End:", strings.Join(strings.Fields(end), " "))
	return err
}

func finishedSteps(ctx context.Context, p *rig.Panel) ([]string, error) {
	var out []string
	err := p.Eval(ctx, `[...document.querySelectorAll('[data-testid=step][data-state]:not([data-state=running])')].map(e => e.querySelector('.line').innerText)`, &out)
	return out, err
}

// answer shows the card, asks, and clicks in the panel.
func answer(ctx context.Context, p *rig.Panel, shop *browser.Tab, o options) (bool, error) {
	card, err := p.Text(ctx, "confirm-card")
	if err != nil || len(card) == 0 {
		return false, errors.Join(err, errors.New("the card went before it was read"))
	}
	fmt.Println("\n--- the gate asks " + strings.Repeat("-", 40))
	fmt.Println(card[len(card)-1])
	fmt.Println(strings.Repeat("-", 58))
	if err := pictures(ctx, p, shop, o.out, "card"); err != nil {
		return false, err
	}
	yes := o.answer == "allow"
	if o.answer == "" {
		if yes, err = ask(ctx); err != nil {
			return false, err
		}
	}
	click, word := p.Deny, "deny"
	if yes {
		click, word = p.Allow, "allow"
	}
	fmt.Println("Answer of the user:", word)
	if err := click(ctx); err != nil {
		return yes, err
	}
	return yes, p.Await(ctx, "!("+cardOpen+")")
}

// ask puts the question to the terminal; anything but a clear yes is a no.
func ask(ctx context.Context) (bool, error) {
	fmt.Print("Allow this? [y/N] ")
	line := make(chan string, 1)
	go func() { // ends with the line or the process
		s, _ := bufio.NewReader(os.Stdin).ReadString('\n') // no line is a no
		line <- s
	}()
	select {
	case s := <-line:
		s = strings.ToLower(strings.TrimSpace(s))
		return s == "y" || s == "yes", nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

func pictures(ctx context.Context, p *rig.Panel, shop *browser.Tab, dir, name string) error {
	for what, tab := range map[string]*browser.Tab{"panel": p.Tab, "page": shop} {
		path := filepath.Join(dir, "demo-"+name+"-"+what+".png")
		if err := rig.Screenshot(ctx, tab, path); err != nil {
			return fmt.Errorf("picture of the %s: %w", what, err)
		}
		fmt.Println("Picture saved:", path)
	}
	return nil
}

// verdict asks the shop itself what was bought: exactly one paid order when
// the user allowed it, none when not.
func verdict(ctx context.Context, shop *browser.Tab, allowed bool) error {
	raw, err := shop.Evaluate(ctx, `(await (await fetch('/tour/orders.json')).json())`)
	if err != nil {
		return fmt.Errorf("ask the shop for its orders: %w", err)
	}
	var orders []struct {
		ID, Status string
		Lines      []struct{ Name string }
	}
	if err := json.Unmarshal(raw, &orders); err != nil {
		return fmt.Errorf("the shop's orders: %w in %s", err, raw)
	}
	switch {
	case allowed && len(orders) == 1 && orders[0].Status == "paid":
		fmt.Printf("Verdict of the shop: order %s for %q is paid.\n", orders[0].ID, orders[0].Lines[0].Name)
	case !allowed && len(orders) == 0:
		fmt.Println("Verdict of the shop: nothing was bought.")
	default:
		return fmt.Errorf("the shop's record does not fit the answer (allowed: %t): %s", allowed, raw)
	}
	return nil
}
