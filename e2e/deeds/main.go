// Command deeds measures the gate with acts on apps by other authors. Some acts are deeds: a
// user would want to be asked about them. The others are harmless. Each app is downloaded in a
// pinned version and started on loopback. Each act is done over HTTP in a headless browser, as
// another program of the user would do it, and every question is answered with no. The result
// is the state of the app after the page was loaded again.
//
// The set was written without a look at the rules of the gate. A third of it, by a hash
// of the act's name, is only run with -held-out.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"tabwright/e2e/rig"
)

const (
	trialTime = 2 * time.Minute
	siegeTime = 8 * time.Minute
)

type options struct {
	apps, only, out string
	look            string
	held, verify    bool
	list            bool
	adversary       bool
	tries           int
}

func main() {
	var o options
	flag.StringVar(&o.apps, "apps", "", "only these apps, with commas between")
	flag.StringVar(&o.only, "only", "", "only acts with this in their id")
	flag.BoolVar(&o.held, "held-out", false, "the third that is held out, and not the others")
	flag.BoolVar(&o.verify, "verify", false, "allow everything, and see that each deed changes the app's state")
	flag.BoolVar(&o.list, "list", false, "list the acts, and do none")
	flag.BoolVar(&o.adversary, "adversary", false, "go to each deed by every road, again after every no, instead of doing it once")
	flag.IntVar(&o.tries, "tries", 100, "with -adversary, how often in each scenario")
	flag.StringVar(&o.look, "look", "", "print what a page of the app lists: a path and acts, with semicolons between")
	flag.StringVar(&o.out, "json", "", "a file for the results")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "deeds:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	apps, err := loadAll(data)
	if err != nil {
		return err
	}
	apps, err = choose(apps, o)
	if err != nil {
		return err
	}
	if o.list {
		for _, a := range apps {
			for _, t := range a.Acts {
				fmt.Printf("%s/%s\t%s\t%s\t%s\n", a.Name, t.ID, t.Kind, t.Act, t.Why)
			}
		}
		return nil
	}
	binary, err := rig.Build(ctx)
	if err != nil {
		return err
	}
	d, err := openDoor(ctx, binary)
	if err != nil {
		return err
	}
	defer d.close()
	if o.look != "" {
		return look(ctx, d, apps, o.look)
	}
	if o.adversary {
		return besiegeAll(ctx, d, apps, o)
	}
	var results []result
	var missing []string
	for _, a := range apps {
		rs, err := runApp(ctx, d, a, o)
		results = append(results, rs...)
		if errors.Is(err, errMissing) {
			missing = append(missing, fmt.Sprintf("SKIPPED: %s: %v", a.Name, err))
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	table(os.Stdout, results, o.verify)
	for _, m := range missing {
		fmt.Println(m)
	}
	if o.out != "" {
		raw, err := json.MarshalIndent(results, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.out, raw, 0o644); err != nil {
			return err
		}
	}
	faults := 0
	for _, r := range results {
		if r.Verdict == faulty {
			faults++
		}
	}
	if faults > 0 {
		return fmt.Errorf("%d acts could not be judged", faults)
	}
	return nil
}

// besiegeAll lets the adversary loose on all apps.
func besiegeAll(ctx context.Context, d *door, apps []*app, o options) error {
	var all []siege
	for _, a := range apps {
		one, err := besiegeApp(ctx, d, a, o)
		all = append(all, one...)
		switch {
		case errors.Is(err, errMissing):
			defer fmt.Printf("SKIPPED: %s: %v\n", a.Name, err)
		case err != nil:
			return fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	if siegeTotal(os.Stdout, all) {
		return errors.New("a deed was done, or a card did not say what it was about")
	}
	return nil
}

// choose takes the apps and acts that were asked for.
func choose(apps []*app, o options) ([]*app, error) {
	if o.apps != "" {
		want := strings.Split(o.apps, ",")
		for _, w := range want {
			if !slices.ContainsFunc(apps, func(a *app) bool { return a.Name == w }) {
				return nil, fmt.Errorf("no app %q", w)
			}
		}
		apps = slices.DeleteFunc(apps, func(a *app) bool { return !slices.Contains(want, a.Name) })
	}
	for _, a := range apps {
		if o.look != "" {
			return apps[:1], nil
		}
		a.Acts = slices.DeleteFunc(a.Acts, func(t *trial) bool {
			return !strings.Contains(t.ID, o.only) || !o.verify && !o.list && heldOut(a.Name, t.ID) != o.held
		})
	}
	return slices.DeleteFunc(apps, func(a *app) bool { return len(a.Acts) == 0 }), nil
}

// withServer installs an app into a folder that is removed afterwards.
func withServer(ctx context.Context, a *app, use func(*server) error) error {
	work, err := os.MkdirTemp("", "tw-deeds-")
	if err != nil {
		return err
	}
	tie, err := rig.Tie(work)
	if err != nil {
		return err
	}
	defer tie.Close()
	defer os.RemoveAll(work)
	s, err := newServer(ctx, a, work)
	if err != nil {
		return err
	}
	defer s.stop()
	return use(s)
}

// look prints the list of a page, for those who write acts.
func look(ctx context.Context, d *door, apps []*app, way string) error {
	return withServer(ctx, apps[0], func(srv *server) error {
		if err := srv.start(ctx); err != nil {
			return err
		}
		s, err := d.open(ctx, "allow")
		if err != nil {
			return err
		}
		defer s.close()
		acts := slices.Clone(srv.app.Login)
		for i, words := range strings.Split(way, ";") {
			if words = strings.TrimSpace(words); i == 0 {
				words = "navigate " + words
			}
			a, err := parseAct(words)
			if err != nil {
				return err
			}
			acts = append(acts, a)
		}
		for _, a := range acts {
			if err := s.do(ctx, a, srv.url, true); err != nil {
				fmt.Printf("%s: %v\n", a, err)
				break
			}
		}
		var got struct{ Text string }
		_ = s.action(ctx, "waitFor", map[string]any{"state": "stable", "timeoutMs": 3000}, true, nil)
		err = s.action(ctx, "getElements", map[string]any{"limit": listMost, "budget": 20000}, true, &got)
		fmt.Println(got.Text)
		return err
	})
}

func runApp(ctx context.Context, d *door, a *app, o options) (results []result, err error) {
	err = withServer(ctx, a, func(s *server) error {
		r := &runner{door: d, server: s, verify: o.verify}
		for i, t := range a.Acts {
			ctx, cancel := context.WithTimeout(ctx, trialTime)
			res, err := r.run(ctx, t)
			cancel()
			if err != nil {
				res.Verdict, res.Said = faulty, err.Error()
			}
			results = append(results, res)
			fmt.Fprintf(os.Stderr, "%d/%d %s\n", i+1, len(a.Acts), res)
		}
		return nil
	})
	return results, err
}
