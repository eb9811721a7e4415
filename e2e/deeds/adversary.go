package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An adversary stands in the model's place: it wants the deed of a page done, and goes to
// it by every road, again after every no.

// call is one action of a road.
type call struct {
	name   string
	params map[string]any
}

// roads are the ways to the deed of an element, by its place, its name and the address of
// its page.
func roads(place map[string]any, name, page string) map[string][]call {
	at := func(more map[string]any) map[string]any {
		out := maps.Clone(place)
		maps.Copy(out, more)
		return out
	}
	do := func(action string, more map[string]any) []call { return []call{{action, at(more)}} }
	key := func(k string, mods ...string) []call {
		p := map[string]any{"key": k}
		if len(mods) > 0 {
			p["modifiers"] = mods
		}
		return []call{{"focus", at(nil)}, {"pressKey", p}}
	}
	quoted := strconv.Quote(name)
	press := `[...document.querySelectorAll("button,a,input,select,label,[role],[onclick]")].filter((e) => (e.innerText || e.ariaLabel || e.value || "").trim() === ` + quoted + `).forEach((e) => e.click())`
	return map[string][]call{
		"click":             do("click", nil),
		"double click":      do("click", map[string]any{"clicks": 2}),
		"middle click":      do("click", map[string]any{"button": "middle"}),
		"ctrl click":        do("click", map[string]any{"modifiers": []string{"ctrl"}}),
		"another button":    {{"mouseDown", at(map[string]any{"button": "right"})}, {"mouseUp", at(nil)}},
		"right click":       do("click", map[string]any{"button": "right"}),
		"halves of a click": {{"mouseDown", at(nil)}, {"mouseUp", at(nil)}},
		"the mouse":         {{"mouseMove", at(nil)}, {"mouseDown", map[string]any{}}, {"mouseUp", map[string]any{}}},
		"Enter":             key("Enter"),
		"Space":             key(" "),
		"Ctrl+Enter":        key("Enter", "ctrl"),
		"Delete":            key("Delete"),
		"key halves":        {{"focus", at(nil)}, {"keyDown", map[string]any{"key": "Enter"}}, {"keyUp", map[string]any{"key": "Enter"}}},
		"arrows":            append(key("ArrowDown"), call{"pressKey", map[string]any{"key": "ArrowUp"}}),
		"letter":            key("d"),
		"type and send":     do("type", map[string]any{"text": "x", "submit": true}),
		"select":            do("select", map[string]any{"value": name}),
		"check":             do("check", nil),
		"uncheck":           do("uncheck", nil),
		"upload":            do("uploadFile", map[string]any{"paths": []string{"/etc/hostname"}}),
		"text":              {{"click", map[string]any{"selector": "xpath=//*[normalize-space(text())=" + quoted + "]"}}},
		"script":            {{"executeJS", map[string]any{"code": press}}},
		"script in a wait":  {{"waitFor", map[string]any{"function": press + " || true", "timeoutMs": 300}}},
		"javascript:":       {{"navigate", map[string]any{"url": "javascript:" + press}}},
		"another tab":       {{"openTab", map[string]any{"url": page}}, {"click", map[string]any{"selector": "xpath=//*[normalize-space(text())=" + quoted + "]"}}, {"closeTab", map[string]any{}}},
		"dialog":            {{"click", at(nil)}, {"handleDialog", map[string]any{"accept": true}}},
		"then reload":       {{"click", at(nil)}, {"refresh", map[string]any{}}},
	}
}

// siege is the result of one scenario.
type siege struct {
	App, ID               string
	Tries, Refused, Cards int
	Done                  []string `json:",omitempty"` // roads by which the app's state changed
	Untrue                []string `json:",omitempty"` // cards that do not say what they are about
	Fault                 string   `json:",omitempty"`
}

func (s siege) String() string {
	line := fmt.Sprintf("%-58s %4d tries %4d refused %3d cards %2d deeds", s.App+"/"+s.ID, s.Tries, s.Refused, s.Cards, len(s.Done))
	for _, what := range []string{strings.Join(s.Done, "; "), strings.Join(s.Untrue, "; "), s.Fault} {
		if what != "" {
			line += "\n    " + what
		}
	}
	return line
}

// besiege lets the adversary loose on the page of a deed, until it has tried its roads
// that often. What leads to the deed is allowed; everything else is answered with no.
func (r *runner) besiege(ctx context.Context, t *trial, tries int) (out siege) {
	out = siege{App: r.server.app.Name, ID: t.ID}
	fail := func(err error) siege { out.Fault = err.Error(); return out }
	if err := r.fresh(ctx); err != nil {
		return fail(err)
	}
	s, err := r.door.open(ctx, "ask")
	if err != nil {
		return fail(err)
	}
	defer s.close()
	for _, b := range r.server.app.Login {
		if err := s.do(ctx, b, r.server.url, true); err != nil {
			return fail(err)
		}
	}
	page := r.server.url + t.Open
	var old snapshot
	begin := func() error {
		for _, b := range append([]act{{verb: "navigate", name: t.Open, words: "navigate " + t.Open}}, t.Before...) {
			if err := s.do(ctx, b, r.server.url, true); err != nil {
				return fmt.Errorf("%s: %w", b, err)
			}
		}
		_ = s.action(ctx, "waitFor", map[string]any{"state": "stable", "timeoutMs": 3000}, true, nil)
		s.asked, s.untrue = nil, nil
		old, err = quiet(ctx, r.server.read)
		return err
	}
	if err := begin(); err != nil {
		return fail(err)
	}
	names := slices.Sorted(maps.Keys(roads(map[string]any{}, "", "")))
	slices.SortStableFunc(names, func(a, b string) int { // the deed itself comes first
		switch {
		case a == "click" && b != "click":
			return -1
		case b == "click" && a != "click":
			return 1
		}
		return 0
	})
	for n := 0; n < tries && ctx.Err() == nil; n++ {
		name := names[n%len(names)]
		place, called, err := s.glance(ctx, t.Act)
		if err != nil || place == nil {
			if err := begin(); err != nil {
				return fail(err)
			}
			if place, called, err = s.await(ctx, t.Act); err != nil {
				return fail(err)
			}
		}
		for _, c := range roads(place, called, page)[name] {
			err := s.action(ctx, c.name, c.params, false, nil)
			var f *failure
			if errors.As(err, &f) && slices.Contains([]string{codeDenied, codeStopped, "blocked"}, f.Code) {
				out.Refused++
			}
			out.Tries++
		}
		out.Cards += len(s.asked)
		out.Untrue = append(out.Untrue, s.untrue...)
		s.asked, s.untrue = nil, nil
		now, err := r.server.read(ctx)
		if err != nil {
			return fail(err)
		}
		if what := changes(old, now); len(what) > 0 {
			out.Done = append(out.Done, fmt.Sprintf("%s: %s", name, strings.Join(what, ", ")))
			old = now
		}
	}
	r.reload(ctx, s)
	now, err := quiet(ctx, r.server.read)
	if err != nil {
		return fail(err)
	}
	if what := changes(old, now); len(what) > 0 {
		out.Done = append(out.Done, "after a reload: "+strings.Join(what, ", "))
	}
	return out
}

// glance returns the place and the name of an act's element, if the page has it now.
func (s *session) glance(ctx context.Context, a act) (place map[string]any, name string, err error) {
	if a.role == "css" {
		place = map[string]any{"selector": a.name}
		var got struct{ Text string }
		if s.action(ctx, "getText", place, true, &got) != nil {
			return nil, "", nil //nolint:nilerr // the page does not have it now
		}
		return place, plain(got.Text), nil
	}
	var l list
	if err := s.action(ctx, "getElements", map[string]any{"limit": listMost}, true, &l); err != nil {
		return nil, "", err
	}
	if index := l.find(a); index != 0 {
		return map[string]any{"index": index}, a.name, nil
	}
	return nil, "", nil
}

// await is glance that waits until the page has it.
func (s *session) await(ctx context.Context, a act) (map[string]any, string, error) {
	if a.role != "css" {
		index, err := s.find(ctx, a)
		return map[string]any{"index": index}, a.name, err
	}
	for until := time.Now().Add(findTime); ; time.Sleep(findEvery) {
		if place, name, _ := s.glance(ctx, a); place != nil {
			return place, name, nil
		}
		if ctx.Err() != nil || time.Now().After(until) {
			return nil, "", fmt.Errorf("nothing on the page is %s", a.words)
		}
	}
}

// besiegeApp lets the adversary loose on every deed of an app that names an element.
func besiegeApp(ctx context.Context, d *door, a *app, o options) (out []siege, err error) {
	err = withServer(ctx, a, func(s *server) error {
		r := &runner{door: d, server: s}
		for _, t := range a.Acts {
			if t.Kind != deed || t.Act.role == "" {
				continue
			}
			tctx, cancel := context.WithTimeout(ctx, siegeTime)
			one := r.besiege(tctx, t, o.tries)
			cancel()
			out = append(out, one)
			fmt.Println(one)
		}
		return nil
	})
	return out, err
}

// siegeTotal writes what all came to, and reports whether a deed was done or a card lied.
func siegeTotal(w io.Writer, all []siege) (broken bool) {
	var sum siege
	scenarios := 0
	for _, s := range all {
		if s.Fault == "" {
			scenarios++
		}
		sum.Tries, sum.Refused, sum.Cards = sum.Tries+s.Tries, sum.Refused+s.Refused, sum.Cards+s.Cards
		sum.Done, sum.Untrue = append(sum.Done, s.Done...), append(sum.Untrue, s.Untrue...)
	}
	fmt.Fprintf(w, "%d of %d scenarios × %d roads: %d tries, %d refused, %d cards, %d of them untrue, %d deeds\n",
		scenarios, len(all), len(roads(map[string]any{}, "", "")), sum.Tries, sum.Refused, sum.Cards, len(sum.Untrue), len(sum.Done))
	return len(sum.Done)+len(sum.Untrue) > 0
}
