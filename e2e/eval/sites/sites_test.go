package sites

import (
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tabwright/e2e/eval/suite"
)

// script does a task as a user's browser does, by requests, and gives the answer.
type script func(c *client) string

// solution is a way that solves a task, and a mistake: a deed on a neighbour, or
// a neighbour's value in the answer.
type solution struct{ right, wrong script }

// client sends what a browser would.
type client struct {
	t *testing.T
	w *world
}

func (c *client) send(r *http.Request) string {
	c.t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		c.t.Fatalf("%s %s: %s: %s", r.Method, r.URL, answer.Status, body)
	}
	return string(body)
}

func (c *client) request(method, path string, body io.Reader) *http.Request {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.w.url+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

func (c *client) get(path string) string {
	c.t.Helper()
	return c.send(c.request(http.MethodGet, path, nil))
}

// post sends a form: names and values in turn.
func (c *client) post(path string, fields ...string) string {
	c.t.Helper()
	v := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		v.Add(fields[i], fields[i+1])
	}
	r := c.request(http.MethodPost, path, strings.NewReader(v.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return c.send(r)
}

func open(t *testing.T, id string, seed int64) *world {
	t.Helper()
	all := New().Tasks()
	i := slices.IndexFunc(all, func(x suite.Task) bool { return x.ID == id })
	w, err := New().Open(all[i], seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w.(*world)
}

func solutions() map[string]solution {
	all := map[string]solution{}
	for _, m := range []map[string]solution{shopSolutions, mailSolutions, trackerSolutions, bankSolutions, bookingSolutions, docsSolutions} {
		maps.Copy(all, m)
	}
	return all
}

// Each task is solved by its script on any seed, and not by nothing, nor by the
// mistake.
func TestTasks(t *testing.T) {
	all := solutions()
	for _, task := range New().Tasks() {
		t.Run(task.ID, func(t *testing.T) {
			s, ok := all[task.ID]
			if !ok {
				t.Fatal("no solution")
			}
			for seed := int64(1); seed <= 6; seed++ {
				c := &client{t, open(t, task.ID, seed)}
				c.get(task.Start)
				if err := c.w.Check(""); err == nil {
					t.Fatalf("seed %d: solved by doing nothing", seed)
				}
				answer := s.right(c)
				if err := c.w.Check(answer); err != nil {
					t.Fatalf("seed %d: the solution fails: %v", seed, err)
				}
				if n := c.w.Wrong(); n != 0 {
					t.Fatalf("seed %d: the solution has %d wrong changes: %v", seed, n, c.w.changes)
				}

				c = &client{t, open(t, task.ID, seed)}
				answer = s.wrong(c)
				err := c.w.Check(answer)
				if err == nil {
					t.Fatalf("seed %d: solved by the mistake", seed)
				}
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("the reason has several lines: %q", err)
				}
				if c.w.goal.answer == nil && c.w.Wrong() == 0 {
					t.Errorf("seed %d: the mistake is not counted: %v", seed, c.w.changes)
				}
				// Doing the task right does not make up for a change to another record.
				if slices.ContainsFunc(c.w.changes, func(c change) bool { return !passing(c.key) }) {
					if err := c.w.Check(s.right(c)); err == nil {
						t.Errorf("seed %d: solved though a neighbour was changed as well", seed)
					}
				}
			}
		})
	}
}

func TestSuite(t *testing.T) {
	seen := map[string]bool{}
	levels, langs := map[int]int{}, map[string]int{}
	for _, x := range New().Tasks() {
		if seen[x.ID] || seen[x.Text] {
			t.Errorf("%s stands twice", x.ID)
		}
		seen[x.ID], seen[x.Text] = true, true
		levels[x.Level]++
		langs[x.Lang]++
		if acts := map[int][2]int{1: {1, 2}, 2: {3, 6}, 3: {7, 15}}[x.Level]; x.Acts < acts[0] || x.Acts > acts[1] {
			t.Errorf("%s: %d acts on level %d", x.ID, x.Acts, x.Level)
		}
		if zh := strings.ContainsFunc(x.Text, func(r rune) bool { return r > 0x4e00 && r < 0xa000 }); zh != (x.Lang == "zh") {
			t.Errorf("%s is said to be %s: %s", x.ID, x.Lang, x.Text)
		}
	}
	if want := map[int]int{1: 14, 2: 15, 3: 11}; !maps.Equal(levels, want) {
		t.Errorf("levels %v, want %v", levels, want)
	}
	if want := map[string]int{"en": 28, "zh": 12}; !maps.Equal(langs, want) {
		t.Errorf("languages %v, want %v", langs, want)
	}
}

// The same seed gives the same site, another seed another, and two that are open
// share nothing.
func TestSeeds(t *testing.T) {
	for _, x := range New().Tasks() {
		one, same, other := open(t, x.ID, 7), open(t, x.ID, 7), open(t, x.ID, 8)
		a, b, c := &client{t, one}, &client{t, same}, &client{t, other}
		was := a.look(x)
		if was != b.look(x) || !reflect.DeepEqual(one.first, same.first) || !reflect.DeepEqual(one.goal, same.goal) {
			t.Errorf("%s: the same seed gives two sites", x.ID)
		}
		if was == c.look(x) {
			t.Errorf("%s: two seeds give the same site", x.ID)
		}
		for _, change := range changes(same.first, same.last) {
			if !passing(change.key) {
				t.Errorf("%s: looking changes the site: %v", x.ID, change)
			}
		}
		solutions()[x.ID].right(a)
		if now := b.look(x); now != was {
			t.Errorf("%s: what was done on one site is on another", x.ID)
		}
	}
}

// look gives what is read where a task starts: the page, and what it fetches.
func (c *client) look(x suite.Task) string {
	page, data := x.Start, ""
	if s, ok := c.w.site.(interface{ api() []string }); ok {
		for _, path := range s.api() {
			data += c.get(path)
		}
	}
	return c.get(page) + data
}

// Each page that a link leads to is there, and no link changes a thing.
func TestLinks(t *testing.T) {
	href := regexp.MustCompile(`(?:href|data-href)="(/[^"#]*)"`)
	for _, x := range New().Tasks() {
		c := &client{t, open(t, x.ID, 3)}
		seen, next := map[string]bool{}, []string{x.Start}
		for len(next) > 0 && len(seen) < 60 {
			path := next[0]
			next = next[1:]
			if seen[path] {
				continue
			}
			seen[path] = true
			for _, m := range href.FindAllStringSubmatch(c.get(path), -1) {
				next = append(next, html.UnescapeString(m[1]))
			}
		}
		for _, change := range c.w.changes {
			if !passing(change.key) {
				t.Errorf("%s: a link changes the site: %v", x.ID, change)
			}
		}
	}
}
